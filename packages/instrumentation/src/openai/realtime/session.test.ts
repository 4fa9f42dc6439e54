import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { context } from '@opentelemetry/api'
import { endOpenCalls } from '@svc/core/open-calls'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans, tell } from '../../../test/spans.ts'
import { configure } from '../../gen-ai/configure.ts'
import { suppressCalls } from '../../record/suppress.ts'
import { patchRealtime } from './patch.ts'

/** What the clients of `openai` inherit. */
class Emitter {
  readonly #listeners: Record<string, ((...args: unknown[]) => void)[]> = {}

  on(name: string, listener: (...args: unknown[]) => void): void {
    this.#listeners[name] = [...(this.#listeners[name] ?? []), listener]
  }

  _emit(name: string, ...args: unknown[]): void {
    for (const listener of this.#listeners[name] ?? []) listener(...args)
  }

  _onError(event: unknown, message?: string, cause?: unknown): void {
    this._emit('error', { event, message, cause })
  }
}

class OpenAIRealtimeWS extends Emitter {
  // Set, and not defined, as in the published classes.
  declare url: URL
  declare socket: EventTarget
  readonly sent: unknown[] = []

  constructor() {
    super()
    this.url = new URL('wss://api.openai.com/v1/realtime?model=gpt-realtime')
    this.socket = new EventTarget()
  }

  send(event: unknown): void {
    this.sent.push(event)
  }

  close(): void {
    this.closed(1000)
  }

  closed(code: number): void {
    this.socket.dispatchEvent(Object.assign(new Event('close'), { code, reason: '' }))
  }

  receive(type: string, fields: object = {}): void {
    this._emit('event', { type, ...fields })
    this._emit(type, { type, ...fields })
  }
}
let gc: () => void
recordSpans()
beforeAll(() => {
  patchRealtime({ OpenAIRealtimeWS })
  setFlagsFromString('--expose-gc')
  gc = runInNewContext('gc')
})
beforeEach(() => {
  endOpenCalls()
  forgetSpans()
})
afterEach(() => configure({}))

const names = () => finishedSpans().map(({ name }) => name)
const attribute = (name: string, key: string) => finishedSpans().find((span) => span.name === name)?.attributes[key]
const chat = (key: string) => attribute('chat gpt-realtime', `svc.observation.${key}`)

function say(client: OpenAIRealtimeWS, id: string, text: string): void {
  const content = [{ type: 'input_text', text }]
  client.receive('conversation.item.added', { item: { id, type: 'message', role: 'user', content } })
}

function begin(client: OpenAIRealtimeWS, id = 'resp_1'): void {
  client.receive('response.created', { response: { id } })
  const item = { id: `item_of_${id}`, type: 'message', role: 'assistant' }
  client.receive('response.output_item.added', { response_id: id, output_index: 0, item })
  client.receive('response.output_text.delta', { response_id: id, output_index: 0, delta: 'Well, ' })
}

const done = { status: 'completed', output: [] }

it('an OpenAI realtime class is patched once', () => {
  expect(patchRealtime({ OpenAIRealtimeWS })).toBe(false)
  expect(patchRealtime({ something: 'else' })).toBe(false)
})

it('an OpenAI realtime client has the same own fields as without instrumentation', () => {
  const { socket } = Object.getOwnPropertyDescriptors(new OpenAIRealtimeWS())
  expect(socket).toMatchObject({ writable: true, configurable: true, enumerable: true })
  expect(Object.keys(new OpenAIRealtimeWS())).toEqual(['sent', 'url', 'socket'])
})

it('OpenAI realtime responses that are open when the process ends are recorded with the output received so far', () => {
  const client = new OpenAIRealtimeWS()
  say(client, 'item_1', 'What is a span?')
  begin(client)
  endOpenCalls()
  expect(finishedSpans().map(tell)).toEqual([
    { name: 'chat gpt-realtime', outcome: 'unfinished', output: ['Well, '], streamed: true },
    { name: 'invoke_agent realtime', outcome: 'unfinished', output: ['Well, '] },
  ])
  expect(chat('input')).toContain('What is a span?')
  client.close()
  expect(names()).toHaveLength(2)
})

it('an OpenAI realtime session whose client is collected ends as abandoned', async () => {
  ;(() => begin(new OpenAIRealtimeWS()))()
  for (let round = 0; round < 500 && names().length < 2; round += 1) {
    gc()
    await turn()
  }
  expect(finishedSpans().map((span) => tell(span).outcome)).toEqual(['abandoned', 'abandoned'])
})

it('an OpenAI realtime session without content has only models, tokens and times', () => {
  configure({ captureContent: false })
  const client = new OpenAIRealtimeWS()
  client.receive('session.created', { session: { instructions: 'SECRET', tools: [{ name: 'SECRET' }] } })
  say(client, 'item_1', 'SECRET')
  client.receive('conversation.item.input_audio_transcription.completed', { item_id: 'item_1', transcript: 'SECRET' })
  begin(client)
  const call = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: 'SECRET' }
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'SECRET' }] }, call]
  client.receive('response.done', { response: { ...done, id: 'resp_1', output, usage: { input_tokens: 1 } } })
  const item = { type: 'function_call_output', call_id: 'call_1', output: 'SECRET' }
  client.send({ type: 'conversation.item.create', item })
  client.close()
  expect(names()).toEqual(['chat gpt-realtime', 'execute_tool weather', 'invoke_agent realtime'])
  expect(JSON.stringify(finishedSpans().map(({ attributes }) => attributes))).not.toContain('SECRET')
  expect(chat('usage_details')).toBe('{"input":1,"total":1}')
})

it('a realtime tool call that is answered before the response is done has a span', () => {
  const client = new OpenAIRealtimeWS()
  begin(client)
  client.on('response.function_call_arguments.done', () => {
    const item = { type: 'function_call_output', call_id: 'call_1', output: 'sunny' }
    client.send({ type: 'conversation.item.create', item })
  })
  const item = { id: 'item_2', type: 'function_call', name: 'weather', call_id: 'call_1' }
  client.receive('response.output_item.added', { response_id: 'resp_1', output_index: 1, item })
  const last = { item_id: 'item_2', call_id: 'call_1', arguments: '{}' }
  client.receive('response.function_call_arguments.done', { response_id: 'resp_1', output_index: 1, ...last })
  expect(names()).toEqual(['execute_tool weather'])
  client.close()
})

it('the recorded messages of an OpenAI realtime session are bounded', () => {
  configure({ contentMaxBytes: 10_000 })
  const client = new OpenAIRealtimeWS()
  for (let count = 0; count < 200; count += 1) say(client, `item_${count}`, `${count} ${'x'.repeat(1_000)}`)
  begin(client)
  client.receive('response.done', { response: { ...done, id: 'resp_1' } })
  client.close()
  const { messages } = JSON.parse(String(chat('input')))
  expect(messages.length).toBeLessThanOrEqual(128)
  expect(String(chat('input')).length).toBeLessThan(20_000)
  expect(String(attribute('invoke_agent realtime', 'svc.observation.input')).length).toBeLessThan(20_000)
})

it('OpenAI realtime audio without a transcript is mentioned, not recorded', () => {
  const client = new OpenAIRealtimeWS()
  const content = [{ type: 'input_audio', audio: 'AAAA', transcript: null }]
  client.receive('conversation.item.added', { item: { id: 'item_1', type: 'message', role: 'user', content } })
  begin(client)
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_audio', audio: 'AAAA' }] }]
  client.receive('response.done', { response: { ...done, id: 'resp_1', output } })
  client.close()
  expect(finishedSpans().map((span) => tell(span).output)).toEqual([['[audio]'], ['[audio]']])
  expect(chat('input')).toBe('{"messages":[{"role":"user","content":"[audio]"}]}')
})

it('an open realtime response fails with the session if the network closes it', () => {
  const client = new OpenAIRealtimeWS()
  begin(client)
  client._onError(null, 'read ECONNRESET', new Error('read ECONNRESET'))
  client.closed(1006)
  expect(finishedSpans().map(tell)).toMatchObject([
    { error: 'Error: read ECONNRESET' },
    { error: 'Error: read ECONNRESET' },
  ])
})

it('malformed OpenAI realtime events do not throw', () => {
  const client = new OpenAIRealtimeWS()
  const seen: unknown[] = []
  client.on('event', (event) => seen.push(event))
  const events = [undefined, null, 1, 'text', {}, { type: 1 }, { type: '__proto__' }, { type: 'response.done' }]
  for (const type of ['response.created', 'conversation.item.added', 'session.created', 'error'])
    events.push({ type }, { type, response: null, item: 7, session: [], error: 'why' } as never)
  for (const event of events) client._emit('event', event)
  for (const event of events) client.send(event)
  expect(seen).toEqual(events)
  expect(client.sent).toEqual(events)
  client.close()
  expect(names()).toContain('invoke_agent realtime')
})

it('no realtime session is recorded if another instrumentation records model calls', () => {
  context.with(suppressCalls(context.active()), () => new OpenAIRealtimeWS()).close()
  expect(names()).toEqual([])
})

it("an error in an application's realtime listener is still thrown", () => {
  const client = new OpenAIRealtimeWS()
  client.on('session.created', () => {
    throw new Error('mine')
  })
  expect(() => client.receive('session.created')).toThrow('mine')
  client.close()
})
