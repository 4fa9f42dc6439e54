import { createRequire } from 'node:module'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'
import { WebSocketServer } from 'ws'
import { errorOf, WEATHER } from '../harness/kit.mjs'
import { realtimeServer, SILENCE } from '../harness/realtime.mjs'

const server = await realtimeServer(WebSocketServer)

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }

export function connect() {}

const apiKey = 'sk-not-to-be-seen'
const url = (model = 'gpt-realtime', port = server.port) => `ws://127.0.0.1:${port}/v1/realtime?model=${model}`

/** Traces tell what began first by milliseconds. */
async function nextMillisecond() {
  for (const now = Date.now(); Date.now() === now; ) await new Promise((resolve) => setImmediate(resolve))
}

/** A session, and everything that an application gets to see of it. */
class Client {
  seen = []
  errors = []

  constructor({ RealtimeAgent, RealtimeSession, tool }, more) {
    const weather = tool({
      ...WEATHER,
      strict: false,
      execute: async () => {
        await nextMillisecond()
        const seen = await startActiveObservation('look out of the window', async () => 'sunny')
        await nextMillisecond()
        return seen
      },
    })
    const expert = new RealtimeAgent({ name: 'Expert', instructions: 'Know everything.', tools: [weather] })
    const agent = new RealtimeAgent({
      name: 'Host',
      instructions: 'Be brief.',
      tools: [weather],
      handoffs: [expert],
    })
    this.session = new RealtimeSession(agent, { transport: 'websocket', model: 'gpt-realtime', ...more })
    this.session.on('transport_event', ({ type }) => this.seen.push(type))
    this.session.on('error', ({ error }) => this.errors.push(String(error?.error?.message ?? error?.message)))
    this.session.on('agent_handoff', (_, from, to) => this.seen.push(`${from.name} hands over to ${to.name}`))
    this.session.on('agent_tool_end', (_, { name }, tool, result) => this.seen.push([name, tool.name, result]))
    this.session.transport.on('connection_change', (status) => this.seen.push(status))
  }

  async open(options) {
    const updated = this.next('session.updated')
    await this.session.connect({ apiKey, url: url(), ...options })
    await updated
    return this
  }

  next(type, count = 1) {
    return new Promise((resolve) => {
      let left = count
      this.session.transport.on('*', (event) => event.type === type && --left === 0 && resolve(event))
    })
  }

  /** @param count responses that are awaited */
  async ask(text, count) {
    const done = this.next('response.done', count)
    this.session.sendMessage(text)
    return done
  }

  /** What is left to be done with what has arrived. */
  settled() {
    return new Promise((resolve) => setImmediate(resolve))
  }

  async close() {
    await this.settled()
    const disconnected = this.disconnected()
    this.session.close()
    await disconnected
    return this.summary()
  }

  disconnected() {
    return new Promise((resolve) => this.session.transport.once('disconnected', resolve))
  }

  summary() {
    const { seen, errors, session } = this
    return { seen, errors, received: server.received(), history: session.history, usage: session.usage }
  }
}

export const cases = {
  text: async ({ exports }) => {
    const client = await new Client(exports).open()
    await client.ask('What is a span?')
    return client.close()
  },
  tools: async ({ exports }) => {
    const client = await new Client(exports).open()
    await client.ask('How is the weather in Paris?', 2)
    return client.close()
  },
  handoff: async ({ exports }) => {
    const client = await new Client(exports).open()
    await client.ask('I want the expert.', 2)
    return client.close()
  },
  speech: async ({ exports }) => {
    const client = await new Client(exports).open()
    const done = client.next('response.done')
    client.session.sendAudio(Buffer.from(SILENCE, 'base64'), { commit: true })
    client.session.transport.sendEvent({ type: 'response.create' })
    await done
    return client.close()
  },
  'user and session': ({ exports }) =>
    propagateAttributes({ userId: 'u-1', sessionId: 's-1' }, async () => {
      const client = await new Client(exports).open()
      await client.ask('What is a span?')
      return client.close()
    }),
  'an error within a session': async ({ exports }) => {
    const client = await new Client(exports).open()
    const error = client.next('error')
    client.session.transport.sendEvent({ type: 'wrong' })
    await error
    await client.ask('What is a span?')
    return client.close()
  },
  'closed in the middle': async ({ exports }) => {
    const client = await new Client(exports).open()
    const started = client.next('response.output_text.delta')
    client.session.sendMessage('hangs')
    await started
    return client.close()
  },
  'closed by the server': async ({ exports }) => {
    const client = await new Client(exports).open()
    const disconnected = client.disconnected()
    client.session.sendMessage('closes')
    await disconnected
    return client.summary()
  },
  'no connection': async ({ exports }) => {
    const client = new Client(exports)
    const error = await client.session.connect({ apiKey, url: url('gpt-realtime', 1) }).catch(({ message }) => message)
    await client.settled()
    return { ...client.summary(), error }
  },
  'connected twice': async ({ exports }) => {
    const client = await new Client(exports).open()
    await client.ask('What is a span?')
    const disconnected = client.disconnected()
    client.session.close()
    await disconnected
    await client.open()
    await client.ask('What is a span?')
    return client.close()
  },
  'a connection without a session': async ({ exports }) => {
    const { OpenAIRealtimeWebSocket } = exports
    const connection = new OpenAIRealtimeWebSocket({ model: 'gpt-realtime' })
    const seen = []
    const next = (type) =>
      new Promise((resolve) => connection.on('*', (event) => event.type === type && resolve(event)))
    connection.on('*', ({ type }) => seen.push(type))
    const updated = next('session.updated')
    await connection.connect({ apiKey, url: url(), initialSessionConfig: { instructions: 'Be brief.' } })
    await updated
    const done = next('response.done')
    connection.sendMessage('What is a span?', {})
    await done
    const disconnected = new Promise((resolve) => connection.once('disconnected', resolve))
    connection.close()
    await disconnected
    return { seen, received: server.received() }
  },
  'no key': async ({ exports }) => errorOf(new Client(exports).session.connect({ url: url() })),
}
