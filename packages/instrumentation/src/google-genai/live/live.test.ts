import { endOpenCalls } from '@svc/core/open-calls'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans, tell } from '../../../test/spans.ts'
import { configure } from '../../gen-ai/configure.ts'
import { patchGoogleGenAI } from '../patch.ts'

interface Callbacks {
  onmessage(event: { data: unknown }): unknown
  onerror(event: { message: string }): unknown
  onclose(event: { code: number; reason: string }): unknown
}

/** A connection that does nothing but to hold its callbacks. */
class Connection {
  callbacks: Callbacks
  readonly sent: unknown[] = []

  constructor(callbacks: Callbacks) {
    this.callbacks = callbacks
  }

  send(message: string): void {
    this.sent.push(JSON.parse(message))
  }

  close(): void {
    this.callbacks.onclose({ code: 1005, reason: '' })
  }

  receive(message: unknown): void {
    this.callbacks.onmessage({ data: typeof message === 'string' ? message : Buffer.from(JSON.stringify(message)) })
  }

  say(serverContent: object): void {
    this.receive({ serverContent })
  }
}

/** As the library has it: the connection is made by a factory of the object's own. */
class Live {
  readonly apiClient = { clientOptions: { apiKey: 'a-key-not-to-be-seen' }, isVertexAI: () => false }
  readonly webSocketFactory = { create: (_: string, __: object, callbacks: Callbacks) => new Connection(callbacks) }

  async connect({ model, callbacks, fails }: { model: string; callbacks: Callbacks; fails?: true }) {
    const connection = this.webSocketFactory.create('wss://localhost', {}, callbacks)
    connection.send(JSON.stringify({ setup: { model: `models/${model}`, systemInstruction: 'Be kind.' } }))
    if (fails) throw new Error('no a-key-not-to-be-seen here')
    return connection
  }
}

class Models {
  generateContentInternal() {}
}

recordSpans()
beforeAll(() => {
  patchGoogleGenAI({ Live, Models })
})
beforeEach(() => {
  endOpenCalls()
  forgetSpans()
  seen.length = 0
})
afterEach(() => configure({}))

const seen: unknown[] = []
const callbacks: Callbacks = {
  onmessage: ({ data }) => seen.push(String(data)),
  onerror: () => {},
  onclose: ({ code }) => seen.push(code),
}
const open = () => new Live().connect({ model: 'gemini-live', callbacks })
const ask = (connection: Connection, text: string) =>
  connection.send(
    JSON.stringify({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true } }),
  )
const recorded = () => finishedSpans().map(tell)
const attribute = (name: string, key: string) => finishedSpans().find((span) => span.name === name)?.attributes[key]
const turn = (key: string) => String(attribute('generate_content gemini-live', `svc.observation.${key}`))

it("a Gemini Live connection does not change the application's options and callbacks", async () => {
  const live = new Live()
  const { create } = live.webSocketFactory
  const connection = await live.connect({ model: 'gemini-live', callbacks })
  expect([live.webSocketFactory.create === create, Object.keys(connection)]).toEqual([true, ['callbacks', 'sent']])
  connection.receive('no JSON')
  connection.close()
  expect(seen).toEqual(['no JSON', 1005])
})

it('Gemini Live turns that are open when the process ends are recorded with the output received so far', async () => {
  const connection = await open()
  ask(connection, 'What is a span?')
  connection.say({ modelTurn: { parts: [{ text: 'Well, ' }] } })
  endOpenCalls()
  expect(recorded()).toEqual([
    { name: 'generate_content gemini-live', outcome: 'unfinished', output: ['Well, '], streamed: true },
    { name: 'invoke_agent live', outcome: 'unfinished', output: ['Well, '] },
  ])
  expect(turn('input')).toContain('What is a span?')
})

it('a Gemini Live session without content has only models, tokens and times', async () => {
  configure({ captureContent: false })
  const connection = await open()
  ask(connection, 'SECRET')
  connection.say({ inputTranscription: { text: 'SECRET' } })
  connection.say({ modelTurn: { parts: [{ text: 'SECRET' }] }, outputTranscription: { text: 'SECRET' } })
  connection.receive({ toolCall: { functionCalls: [{ id: '1', name: 'weather', args: { city: 'SECRET' } }] } })
  const functionResponses = [{ id: '1', name: 'weather', response: { output: 'SECRET' } }]
  connection.send(JSON.stringify({ toolResponse: { functionResponses } }))
  connection.close()
  expect(recorded().map(({ name }) => name)).toEqual([
    'generate_content gemini-live',
    'execute_tool weather',
    'invoke_agent live',
  ])
  expect(JSON.stringify(finishedSpans().map(({ attributes }) => attributes))).not.toContain('SECRET')
})

it('Gemini Live audio without a transcript is mentioned, not recorded', async () => {
  const connection = await open()
  connection.send(JSON.stringify({ realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: 'AAAA' } } }))
  for (let count = 0; count < 3; count += 1)
    connection.say({ modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } }] } })
  connection.say({ turnComplete: true })
  expect(recorded()).toEqual([{ name: 'generate_content gemini-live', output: ['[audio]'], streamed: true }])
  expect(turn('metadata.output_audio')).toBe('{"bytes":9,"format":"audio/pcm"}')
  expect(turn('metadata.input_audio')).toBe('{"bytes":3,"seconds":0,"format":"audio/pcm;rate=16000"}')
  connection.close()
})

it('a Gemini Live tool call without an id is matched by its name, and a cancelled one has no span', async () => {
  const connection = await open()
  const call = (name: string, id?: string) =>
    connection.receive({ toolCall: { functionCalls: [{ id, name, args: {} }] } })
  const answer = (name: string, id?: string) =>
    connection.send(JSON.stringify({ toolResponse: { functionResponses: [{ id, name, response: {} }] } }))
  call('weather')
  answer('weather')
  call('late', 'call_1')
  connection.receive({ toolCallCancellation: { ids: ['call_1'] } })
  answer('late', 'call_1')
  connection.close()
  const names = recorded().map(({ name }) => name)
  expect(names).toEqual([
    'generate_content gemini-live',
    'execute_tool weather',
    'generate_content gemini-live',
    'invoke_agent live',
  ])
  expect(attribute('execute_tool weather', 'gen_ai.tool.call.id')).toBe(undefined)
})

it('after an interruption of a Gemini Live turn another one starts, whose input was spoken since', async () => {
  const connection = await open()
  connection.say({ inputTranscription: { text: 'Tell me ' } })
  connection.say({ modelTurn: { parts: [{ text: 'Once' }] } })
  connection.say({ inputTranscription: { text: 'a story.' } })
  connection.say({ interrupted: true })
  connection.say({ inputTranscription: { text: 'Stop.' } })
  connection.say({ modelTurn: { parts: [{ text: 'Fine.' }] } })
  connection.say({ turnComplete: true })
  connection.close()
  const [first, second, session] = finishedSpans().map(({ attributes }) => String(attributes['svc.observation.input']))
  expect(JSON.parse(first ?? '').messages.at(-1)).toEqual({ role: 'user', content: 'Tell me a story.' })
  expect(JSON.parse(second ?? '').messages.at(-1)).toEqual({ role: 'user', content: 'Stop.' })
  expect(JSON.parse(session ?? '').messages).toHaveLength(2)
  expect(recorded().map(({ outcome }) => outcome)).toEqual(['cancelled', undefined, undefined])
})

it('transcripts of a long Gemini Live session are bounded', async () => {
  configure({ contentMaxBytes: 10_000 })
  const connection = await open()
  for (let count = 0; count < 1_000; count += 1) connection.say({ inputTranscription: { text: 'x'.repeat(100) } })
  connection.say({ modelTurn: { parts: [{ text: 'Hm.' }] } })
  connection.say({ turnComplete: true })
  connection.close()
  for (const { attributes } of finishedSpans())
    expect(String(attributes['svc.observation.input']).length).toBeLessThan(20_000)
})

it('a failed Gemini Live connection is an error without the key', async () => {
  const failing = new Live().connect({ model: 'gemini-live', callbacks, fails: true })
  await expect(failing).rejects.toThrow('a-key-not-to-be-seen')
  expect(recorded()).toEqual([{ name: 'invoke_agent live', error: 'Error: no (hidden) here', output: [] }])
})

it('searches of a Gemini Live turn are counted, and its sources are citations', async () => {
  const connection = await open()
  const found = { web: { uri: 'https://weather.test' } }
  connection.say({ modelTurn: { parts: [{ text: 'Rain.' }] } })
  connection.say({ groundingMetadata: { webSearchQueries: ['Paris', 'rain'], groundingChunks: [found] } })
  connection.receive({ usageMetadata: { promptTokenCount: 3, responseTokenCount: 2 } })
  connection.say({ turnComplete: true })
  expect(JSON.parse(turn('usage_details'))).toEqual({ input: 3, output: 2, web_search_requests: 2, total: 5 })
  expect(JSON.parse(turn('metadata.citations'))).toEqual([found])
  connection.close()
})

it('malformed Gemini Live messages do not throw', async () => {
  const connection = await open()
  const messages = [null, 1, [], {}, { serverContent: 7, toolCall: [], usageMetadata: 'why' }, { toolCall: {} }]
  for (const message of messages) connection.receive(message)
  for (const message of messages) connection.send(JSON.stringify(message))
  connection.close()
  expect(seen).toHaveLength(messages.length + 1)
  expect(recorded().map(({ name }) => name)).toContain('invoke_agent live')
})
