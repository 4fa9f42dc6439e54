import { ROOT_CONTEXT } from '@opentelemetry/api'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { useChat } from '../support/chat.ts'
import { runNode, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const chat = useChat()
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each([
  ['errors', 0],
  ['errors,rest:1', 1],
  ['slow:0ms', 1],
])('SVC_KEEP=%s of a process whose one trace has no error sends %i of its spans, in silence', async (keep, spans) => {
  const ended = await chat({ SVC_KEEP: keep })
  expect({ code: ended.code, lines: ended.lines, spans: ended.spans.length }).toEqual({ code: 0, lines: [], spans })
})

// A trace is whole, or not there at all, but where it got its error after it had called: then what was called is there if
// the rate of the rest keeps it.
it('SVC_KEEP in two processes sends no part of a trace that hangs from nothing', async () => {
  const SVC_KEEP = 'errors,rest:0.3'
  const env = { ...service.env, SVC_KEEP, SVC_TRUST_TRACEPARENT: 'true', SVC_TRUST_BAGGAGE: 'true' }
  const called = startNode([...PRELOAD, app('keep-called.mjs')], { cwd, env })
  const [, port] = await called.printed(/listening on (\d+)/)
  const CALLEE = `http://127.0.0.1:${port}`
  const variables = { ...env, CALLEE, TRACES: '200', SVC_PROPAGATE_TO: CALLEE }
  const { code, stdout, stderr } = await runNode([...PRELOAD, app('keep-caller.mjs')], { cwd, env: variables })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  called.kill('SIGTERM')
  expect(await called.ended).toMatchObject({ stderr: '' })
  const sampler = new TraceIdRatioBasedSampler(0.3)
  const isRest = (id: string) => sampler.shouldSample(ROOT_CONTEXT, id).decision === SamplingDecision.RECORD_AND_SAMPLED
  const own = { early: ['before', 'caller'], late: ['after', 'caller'], none: ['caller'] }
  const traces = [...stdout.matchAll(/^(early|late|none) (\w{32})$/gm)]
  expect(traces).toHaveLength(200)
  for (const [, kind, id = ''] of traces as unknown as [string, keyof typeof own, string][]) {
    const isWhole = kind === 'early' || isRest(id)
    const expected = [...(isWhole || kind === 'late' ? own[kind] : []), ...(isWhole ? ['called', 'inside'] : [])]
    const spans = service.local.spans().filter(({ traceId }) => traceId === id)
    expect(spans.map(({ name }) => name).sort(), kind).toEqual(expected.sort())
  }
})
