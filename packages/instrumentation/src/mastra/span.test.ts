import { afterEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { patchMastra } from './patch.ts'
import type { MastraSpan } from './span.ts'

recordSpans()
afterEach(forgetSpans)

type Options = { readonly tracingContext?: { readonly currentSpan: MastraSpan } }

/** An agent whose runs do `work` with the span they are given. */
function createAgent(work: (span: MastraSpan | undefined) => unknown, observability?: object) {
  class Agent {
    async generate(_: string, options?: Options) {
      return work(options?.tracingContext?.currentSpan)
    }
    getMastraInstance() {
      return { observability }
    }
  }
  patchMastra({ Agent })
  return new Agent()
}

const AGENT = { type: 'agent_run', entityName: 'guide', metadata: { runId: 'run-1', threadId: 'thread-1' } }

it('what Mastra tells of a run are spans: agents and tools, not models and its own workflows', async () => {
  const agent = createAgent((root) => {
    const run = root?.createChildSpan({ ...AGENT, input: 'Rome' })
    const loop = run?.createChildSpan({ type: 'workflow_run', entityId: 'loop', tracingPolicy: { internal: 1 } })
    const model = loop?.createChildSpan({ type: 'model_generation' })
    const tool = model?.createChildSpan({ type: 'tool_call', entityName: 'look', attributes: { toolCallId: 'call_1' } })
    tool?.end({ output: 'seen' })
    model?.end()
    expect(tool?.findParent('agent_run')).toBe(run)
    run?.end({ output: { text: 'It is there.', files: [] } })
    run?.end()
  })
  await agent.generate('Rome')
  const [tool, run, ...more] = finishedSpans()
  expect([tool?.name, run?.name, more]).toEqual(['execute_tool look', 'invoke_agent guide', []])
  expect(tool?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId)
  expect(run?.attributes).toMatchObject({
    'svc.observation.input': 'Rome',
    'svc.observation.output': 'It is there.',
    'gen_ai.conversation.id': 'thread-1',
    'svc.observation.metadata.run_id': 'run-1',
  })
})

it('a run that waits for a person says so, and the one that resumes it is linked by what was stored', async () => {
  let stored: unknown
  await createAgent((root) => {
    const run = root?.createChildSpan(AGENT)
    stored = run?.createChildSpan({ type: 'workflow_run', tracingPolicy: { internal: 1 } }).getExportedSpanId()
    run?.end({ output: { status: 'suspended' } })
  }).generate('Rome')
  await createAgent((root) => {
    root?.createChildSpan({ ...AGENT, metadata: { resumedFromSpanId: stored } }).end()
  }).generate('Rome')
  const [paused, resumed] = finishedSpans()
  expect(paused?.attributes['svc.observation.status_message']).toBe('interrupted')
  expect(resumed?.links.map(({ context }) => context.spanId)).toEqual([paused?.spanContext().spanId])
})

it('a workflow that waits for a person has what its step asks as its output', async () => {
  class DefaultExecutionEngine {
    async executeStepWithRetry(_id: string, _run: unknown, { stepSpan }: { stepSpan: MastraSpan | undefined }) {
      return { ok: true, result: { suspended: { payload: { text: stepSpan && 'Go on?' } } } }
    }
  }
  patchMastra({ DefaultExecutionEngine })
  await createAgent(async (root) => {
    const run = root?.createChildSpan({ type: 'workflow_run', entityName: 'flow' })
    const stepSpan = run?.createChildSpan({ type: 'workflow_step', entityName: 'ask' })
    await new DefaultExecutionEngine().executeStepWithRetry('ask', undefined, { stepSpan })
    stepSpan?.end({ attributes: { status: 'suspended' } })
    run?.end({ attributes: { status: 'suspended' } })
  }).generate('Rome')
  const told = finishedSpans().map(({ attributes }) => [
    attributes['svc.observation.output'],
    attributes['svc.observation.status_message'],
  ])
  expect(told).toEqual([
    ['{"text":"Go on?"}', 'interrupted'],
    ['{"ask":{"text":"Go on?"}}', 'interrupted'],
  ])
})

it('what Mastra decides by a span is what it decides without one: scorers, and the ids in results', async () => {
  const read = (span: MastraSpan | undefined) => [span?.isValid, span?.traceId, span?.id, span?.externalTraceId]
  let seen: unknown
  await createAgent((root) => {
    seen = read(root?.createChildSpan(AGENT))
  }).generate('Rome')
  expect(seen).toEqual(read(undefined))
})

it('a failure is an error', async () => {
  await createAgent((root) => root?.createChildSpan(AGENT).error({ error: new Error('down') })).generate('Rome')
  expect(finishedSpans().map(({ status }) => status.message)).toEqual(['down'])
})

it('whoever configured an observability of Mastra’s keeps it', async () => {
  const spans: unknown[] = []
  await createAgent((span) => spans.push(span), { getDefaultInstance: () => ({}) }).generate('Rome')
  await createAgent((span) => spans.push(span), { getDefaultInstance: () => undefined }).generate('Rome')
  expect(spans).toEqual([undefined, expect.anything()])
})
