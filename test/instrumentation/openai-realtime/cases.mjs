import { Agent } from 'node:https'
import { createRequire } from 'node:module'
import { connect as connectTo } from 'node:net'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'
import { WebSocketServer } from 'ws'
import { WEATHER } from '../harness/kit.mjs'
import { realtimeServer, SILENCE } from '../harness/realtime.mjs'

const server = await realtimeServer(WebSocketServer)

/** Up to version 5 sessions are in beta. */
const path = (name) => (/-4/.test(name) ? `${name}/beta/realtime` : `${name}/realtime`)
const all = async (name, get) => ({
  ...(await get(name)),
  ...(await get(`${path(name)}/ws`)),
  ...(await get(`${path(name)}/websocket`)),
  beta: await get(`${name}/beta/realtime/ws`),
})
const require = createRequire(import.meta.url)
export const load = { import: (name) => all(name, (file) => import(file)), require: (name) => all(name, require) }

export function connect({ exports: { OpenAI } }) {
  return new OpenAI({ baseURL: `http://127.0.0.1:${server.port}/v1`, apiKey: 'sk-not-to-be-seen' })
}

// The clients insist on TLS, which is none of our business.
const agent = Object.assign(new Agent(), { createConnection: ({ port }) => connectTo(port, '127.0.0.1') })
const Native = globalThis.WebSocket
globalThis.WebSocket = class WebSocket extends Native {
  constructor(url, ...rest) {
    super(String(url).replace('wss:', 'ws:'), ...rest)
  }
}

/** A session, and everything that an application gets to see of it. */
class Client {
  seen = []

  constructor({ exports, client }, { model = 'gpt-realtime', kind = 'OpenAIRealtimeWS', ...options } = {}) {
    this.rt = new exports[kind]({ model, ...options, options: { agent } }, client)
    this.rt.on('event', (event) => this.seen.push(event))
    this.fields = Object.keys(this.rt)
    this.closed = new Promise((resolve) => {
      this.rt.socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
    })
  }

  listen() {
    this.errors = []
    this.rt.on('error', ({ message, error, event_id }) => this.errors.push({ message, error, event_id }))
    return this
  }

  next(type) {
    return new Promise((resolve) => this.rt.once(type, resolve))
  }

  say(text) {
    const content = [{ type: 'input_text', text }]
    this.rt.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
  }

  async ask(text, response) {
    const done = this.next('response.done')
    this.say(text)
    this.rt.send({ type: 'response.create', ...(response && { response }) })
    return done
  }

  async close(props) {
    this.rt.close(props)
    return this.end()
  }

  async end() {
    const closed = await this.closed
    const { rt: _, closed: __, ...rest } = this
    return { ...rest, closed, received: server.received(), listeners: this.rt.socket.listenerCount?.('message') }
  }
}

async function open(kit, options) {
  const client = new Client(kit, options).listen()
  await client.next('session.created')
  return client
}

const weather = { type: 'function', ...WEATHER }

/** A model that calls a tool, and speaks when it has the result. */
async function withTool(client) {
  const updated = client.next('session.updated')
  client.rt.send({ type: 'session.update', session: { tools: [weather] } })
  await updated
  client.rt.once('response.function_call_arguments.done', async ({ call_id }) => {
    await client.next('response.done')
    const item = { type: 'function_call_output', call_id, output: 'sunny' }
    client.rt.send({ type: 'conversation.item.create', item })
    client.rt.send({ type: 'response.create' })
  })
  let count = 0
  const answered = new Promise((resolve) => client.rt.on('response.done', () => ++count === 2 && resolve()))
  await client.ask('How is the weather in Paris?')
  await answered
  return client.close()
}

export const cases = {
  text: async (kit) => {
    const client = await open(kit)
    await client.ask('What is a span?', { max_output_tokens: 100 })
    await client.ask('And a trace?')
    return client.close()
  },
  'text of the beta': async (kit) => {
    const client = await open({ ...kit, exports: kit.exports.beta }, { model: 'gpt-4o-realtime-preview' })
    await client.ask('What is a span?')
    return client.close()
  },
  'native WebSocket': async (kit) => {
    const client = await open(kit, { kind: 'OpenAIRealtimeWebSocket' })
    await client.ask('What is a span?')
    return client.close()
  },
  tools: async (kit) => withTool(await open(kit)),
  'tools of the beta': async (kit) => withTool(await open(kit, { model: 'gpt-4o-realtime-preview' })),
  'work of the application': async (kit) => {
    const client = await open(kit)
    const worked = new Promise((resolve) => {
      client.rt.once('session.updated', () => resolve(startActiveObservation('look out of the window', async () => {})))
    })
    client.rt.send({ type: 'session.update', session: { instructions: 'Look out of the window.' } })
    await worked
    return client.close()
  },
  speech: async (kit) => {
    const client = await open(kit)
    const done = client.next('response.done')
    client.rt.send({ type: 'input_audio_buffer.append', audio: SILENCE })
    client.rt.send({ type: 'input_audio_buffer.commit' })
    client.rt.send({ type: 'response.create' })
    await done
    return client.close()
  },
  'outside of the conversation': async (kit) => {
    const client = await open(kit)
    client.say('What is a span?')
    const content = [{ type: 'input_text', text: 'Name the topic.' }]
    const input = [{ type: 'message', role: 'user', content }]
    const done = client.next('response.done')
    const response = { conversation: 'none', instructions: 'One word.', input, output_modalities: ['text'] }
    client.rt.send({ type: 'response.create', response })
    await done
    await client.ask('Go on.')
    return client.close()
  },
  'a response that is cancelled': async (kit) => {
    const client = await open(kit)
    client.rt.once('response.output_text.delta', () => client.rt.send({ type: 'response.cancel' }))
    await client.ask('hangs')
    return client.close()
  },
  'a response that fails': async (kit) => {
    const client = await open(kit)
    await client.ask('fails')
    return client.close()
  },
  'a response that is too long': async (kit) => {
    const client = await open(kit)
    await client.ask('too long')
    return client.close()
  },
  'an error within a session': async (kit) => {
    const client = await open(kit)
    const error = client.next('error')
    client.rt.send({ type: 'wrong', event_id: 'event_of_mine' })
    await error
    await client.ask('What is a span?')
    return client.close()
  },
  'an error that nobody listens to': async (kit) => {
    const client = new Client(kit)
    await client.next('session.created')
    client.rt.send({ type: 'wrong' })
    await client.ask('What is a span?')
    return client.close()
  },
  'closed in the middle': async (kit) => {
    const client = await open(kit)
    const started = client.next('response.output_text.delta')
    client.ask('hangs')
    await started
    return client.close({ code: 4000, reason: 'enough' })
  },
  'closed by the server': async (kit) => {
    const client = await open(kit)
    client.ask('closes')
    return client.end()
  },
  'a connection that is lost': async (kit) => {
    const client = await open(kit)
    client.ask('drops')
    return client.end()
  },
  'a session that is refused': async (kit) => new Client(kit, { model: 'refused' }).listen().end(),
  'no connection': async (kit) => {
    const { OpenAI } = kit.exports
    const client = new OpenAI({ baseURL: 'http://127.0.0.1:1/v1', apiKey: 'sk-not-to-be-seen' })
    return new Client({ ...kit, client }).listen().end()
  },
  'an event before the connection': async (kit) => {
    const client = new Client(kit).listen()
    client.say('too early')
    await client.next('session.created')
    return client.close()
  },
  'user and session': (kit) =>
    propagateAttributes({ userId: 'u-1', sessionId: 's-1' }, async () => {
      const client = await open(kit)
      await client.ask('What is a span?')
      return client.close()
    }),
  'an item that is deleted': async (kit) => {
    const client = await open(kit)
    const added = client.next('conversation.item.added')
    client.say('Forget this.')
    const { item } = await added
    client.rt.send({ type: 'conversation.item.delete', item_id: item.id })
    await client.ask('What is a span?')
    return client.close()
  },
  'response by itself': {
    since: 7,
    does: async (kit) => {
      const client = await open(kit)
      const done = client.next('response.done')
      client.say('What is a span?')
      client.rt.sendResponseCreate({ type: 'response.create', response: { instructions: 'Be brief.' } })
      await done
      return client.close()
    },
  },
  'a connection that is made again': {
    since: 7,
    does: async (kit) => {
      const client = await open(kit, { reconnect: true, reconnectInitialDelay: 1 })
      const again = client.next('reconnected')
      client.ask('drops')
      await again
      client.closed = new Promise((resolve) => client.rt.on('close', (code, reason) => resolve({ code, reason })))
      await client.ask('What is a span?')
      client.rt.close()
      return client.end()
    },
  },
}
