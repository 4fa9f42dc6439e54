import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { RunnableLambda } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { configure } from '@svc/instrumentation/record'
import { setSvcTracerProvider, startObservation } from '@svc/tracing'
import { describe, expect, it } from 'vitest'
import { useRecording } from '../test/support.ts'
import { CallbackHandler } from './index.ts'

const { attributes, lines, paths, span, spans } = useRecording()

const model = new FakeListChatModel({ responses: ['It has a beginning and an end.'] })
const prompt = ChatPromptTemplate.fromTemplate('{question}')
const chain = prompt.pipe(model).pipe(new StringOutputParser())
const question = { question: 'What is a span?' }

it("the callback handler records a chain as a span and its model as a generation, in the service's dialect", async () => {
  const callbacks = [new CallbackHandler()]
  await chain.invoke(question, { callbacks, runName: 'answer', metadata: { plan: 'pro', seats: 5 } })
  expect(paths()).toEqual([
    'answer',
    'answer > ChatPromptTemplate',
    'answer > FakeListChatModel',
    'answer > StrOutputParser',
  ])
  expect(span('answer').instrumentationScope.name).toBe('svc-sdk')
  expect(attributes('answer')).toEqual({
    'svc.observation.type': 'span',
    'svc.observation.input': '{"question":"What is a span?"}',
    'svc.observation.output': 'It has a beginning and an end.',
    'svc.observation.metadata.plan': '"pro"',
    'svc.observation.metadata.seats': '5',
    'svc.internal.is_app_root': true,
  })
  expect(attributes('FakeListChatModel')).toMatchObject({
    'svc.observation.type': 'generation',
    'svc.observation.input': '[{"role":"user","content":"What is a span?"}]',
    'svc.observation.output': '{"role":"assistant","content":"It has a beginning and an end."}',
    'svc.observation.metadata.tags': '["seq:step:2"]',
  })
})

it('the root has the trace attributes of the handler and of the call, which wins', async () => {
  const handler = new CallbackHandler({
    userId: 'u-1',
    sessionId: 's-1',
    tags: ['support'],
    version: '2.1',
    traceMetadata: { seats: 5, plan: { name: 'pro' } },
  })
  await chain.invoke(question, { callbacks: [handler], tags: ['beta'], metadata: { svcUserId: 'u-2' } })
  expect(spans()).toHaveLength(4)
  for (const { attributes } of spans()) {
    expect(attributes).toMatchObject({
      'user.id': 'u-2',
      'session.id': 's-1',
      'svc.trace.tags': ['beta', 'support'],
      'svc.version': '2.1',
      'svc.trace.metadata.seats': '5',
      'svc.trace.metadata.plan': '{"name":"pro"}',
    })
    expect(Object.keys(attributes)).not.toContain('svc.observation.metadata.svcUserId')
  }
})

it('invalid trace attributes of the handler are omitted, with one line that names them', async () => {
  const wrong = { userId: 'x'.repeat(201), tags: 'one' } as unknown as { userId: string }
  const callbacks = [new CallbackHandler(wrong)]
  await model.invoke('one', { callbacks })
  await model.invoke('two', { callbacks })
  expect(lines()).toEqual([
    'svc: [WARN] LangChain: userId is not propagated: expected a string of at most 200 characters.',
  ])
  expect(attributes('FakeListChatModel')).toMatchObject({ 'svc.trace.tags': ['one'] })
})

it('a prompt of the service is linked to the next generation only', async () => {
  const ask = prompt.withConfig({ metadata: { svcPrompt: { name: 'ask', version: 3 } } })
  const again = RunnableLambda.from((_: unknown, config) => model.invoke('again', { ...config, runName: 'second' }))
  await ask
    .pipe(model.withConfig({ runName: 'first' }))
    .pipe(again)
    .invoke(question, { callbacks: [new CallbackHandler()] })
  expect(attributes('first')).toMatchObject({
    'svc.observation.prompt.name': 'ask',
    'svc.observation.prompt.version': 3,
  })
  expect(Object.keys(attributes('second'))).not.toContain('svc.observation.prompt.name')
  expect(Object.keys(attributes('ChatPromptTemplate'))).not.toContain('svc.observation.metadata.svcPrompt')
})

it('last_trace_id is the trace id of the run that ended last', async () => {
  const handler = new CallbackHandler()
  expect(handler.last_trace_id).toBeNull()
  await model.invoke('one', { callbacks: [handler] })
  expect(handler.last_trace_id).toBe(span('FakeListChatModel').spanContext().traceId)
})

it('two callback handlers of the same run record it once', async () => {
  await chain.invoke(question, { callbacks: [new CallbackHandler(), new CallbackHandler()] })
  expect(paths()).toHaveLength(4)
})

it('spans of the application are children of the run in which they start', async () => {
  const lambda = RunnableLambda.from(async (text: string, config) => {
    startObservation('before').end()
    const answer = await model.invoke(text, config)
    startObservation('after').end()
    return answer
  })
  await lambda.withConfig({ runName: 'lambda' }).invoke('one', { callbacks: [new CallbackHandler()] })
  expect(paths()).toEqual(['lambda', 'lambda > FakeListChatModel', 'lambda > after', 'lambda > before'])
})

it('a LangChain stream that is abandoned ends its runs with the output received so far', async () => {
  for await (const _ of await chain.stream(question, { callbacks: [new CallbackHandler()] })) break
  expect(paths()).toHaveLength(4)
  expect(attributes('FakeListChatModel')).toMatchObject({
    'svc.observation.level': 'WARNING',
    'svc.observation.completion_start_time': expect.any(String),
    'svc.observation.output': expect.stringMatching(/"content":"I/),
  })
  expect(attributes('RunnableSequence')).toMatchObject({ 'svc.observation.level': 'WARNING' })
})

it('a model call without the handler is not recorded', async () => {
  await model.invoke('one')
  expect(spans()).toEqual([])
})

describe("the destination of the callback handler's observations", () => {
  it('is only the provider that was set for observations', async () => {
    const exporter = new InMemorySpanExporter()
    setSvcTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
    try {
      await model.invoke('one', { callbacks: [new CallbackHandler()] })
    } finally {
      setSvcTracerProvider(null)
    }
    expect(exporter.getFinishedSpans()).toHaveLength(1)
    expect(spans()).toEqual([])
  })

  it('receives no content if content is switched off', async () => {
    configure({ captureContent: false })
    await chain.invoke(question, { callbacks: [new CallbackHandler()] })
    expect(spans()).toHaveLength(4)
    expect(JSON.stringify(spans().map((each) => each.attributes))).not.toMatch(/span\?|beginning/)
  })
})
