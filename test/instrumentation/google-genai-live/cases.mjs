import { createRequire } from 'node:module'
import { propagateAttributes } from '@svc/tracing'
import { WEATHER } from '../harness/kit.mjs'
import { liveServer, SILENCE } from './server.mjs'

const server = await liveServer()

const require = createRequire(import.meta.url)
export const load = {
  import: (name) => import(name),
  // The first version cannot be required.
  require: (name) => (name === 'genai-1.0' ? import(name) : require(name)),
}

export function connect({ exports: { GoogleGenAI } }, baseUrl = server.url) {
  return new GoogleGenAI({ apiKey: 'sk-not-to-be-seen', httpOptions: { baseUrl } })
}

const functionDeclarations = [{ name: WEATHER.name, description: WEATHER.description, parameters: WEATHER.parameters }]

/** A session, and everything that an application gets to see of it. */
class Client {
  seen = []
  #waiting = []

  async open({ client }, { model = 'gemini-live', ...config } = {}) {
    const closed = new Promise((resolve) => {
      this.callbacks = {
        onopen: () => this.seen.push('open'),
        onmessage: (message) => this.#see(message),
        onerror: ({ message }) => this.seen.push(message),
        onclose: ({ code, reason }) => resolve({ code, reason }),
      }
    })
    this.closed = closed
    const parameters = {
      model,
      config: { responseModalities: ['AUDIO'], systemInstruction: 'Be kind.', temperature: 0.5, ...config },
      callbacks: this.callbacks,
    }
    this.session = await client.live.connect(parameters)
    this.fields = [Object.keys(this.session), Object.keys(this.session.conn), Object.keys(parameters.config)]
    return this
  }

  #see(message) {
    // The first version calls back before there is a session.
    if (message.setupComplete) return
    this.seen.push({ ...message })
    for (const waits of [...this.#waiting]) waits(message)
  }

  next(what) {
    return new Promise((resolve) => {
      const waits = (message) => {
        if (!what(message)) return
        this.#waiting.splice(this.#waiting.indexOf(waits), 1)
        resolve(message)
      }
      this.#waiting.push(waits)
    })
  }

  done() {
    return this.next(({ serverContent }) => serverContent?.turnComplete)
  }

  async ask(turns) {
    const done = this.done()
    this.session.sendClientContent({ turns })
    return done
  }

  async close() {
    this.session.close()
    return this.end()
  }

  async end() {
    const closed = await this.closed
    return { seen: this.seen, fields: this.fields, closed, received: server.received() }
  }
}

const open = (kit, options) => new Client().open(kit, options)

export const cases = {
  text: async (kit) => {
    const client = await open(kit)
    await client.ask('What is a span?')
    await client.ask('And a trace?')
    return client.close()
  },
  tools: async (kit) => {
    const client = await open(kit, { tools: [{ functionDeclarations }] })
    const called = client.next(({ toolCall }) => toolCall)
    const counted = client.next(({ usageMetadata }) => usageMetadata)
    client.session.sendClientContent({ turns: 'tool' })
    const { toolCall } = await called
    await counted
    const done = client.done()
    const [{ id, name }] = toolCall.functionCalls
    client.session.sendToolResponse({ functionResponses: [{ id, name, response: { output: 'sunny' } }] })
    await done
    return client.close()
  },
  speech: async (kit) => {
    const client = await open(kit, { inputAudioTranscription: {} })
    const done = client.done()
    client.session.sendRealtimeInput({ audio: { data: SILENCE, mimeType: 'audio/pcm;rate=16000' } })
    client.session.sendRealtimeInput({ audioStreamEnd: true })
    await done
    return client.close()
  },
  'turns of a conversation': async (kit) => {
    const client = await open(kit)
    client.session.sendClientContent({
      turns: [
        { role: 'user', parts: [{ text: 'Hello.' }] },
        { role: 'model', parts: [{ text: 'Hello!' }] },
      ],
      turnComplete: false,
    })
    await client.ask('What is a span?')
    return client.close()
  },
  'a turn that is interrupted': async (kit) => {
    const client = await open(kit)
    await client.ask('interrupted')
    return client.close()
  },
  'closed in the middle': async (kit) => {
    const client = await open(kit)
    const started = client.next(({ serverContent }) => serverContent)
    client.session.sendClientContent({ turns: 'hangs' })
    await started
    return client.close()
  },
  'closed by the server': async (kit) => {
    const client = await open(kit)
    client.session.sendClientContent({ turns: 'closes' })
    return client.end()
  },
  // Those before wait for ever, or not at all.
  'a session that is refused': {
    since: 3,
    does: async (kit) => {
      const client = new Client()
      const error = await client.open(kit, { model: 'refused' }).then(() => undefined, String)
      return { error, closed: await client.closed, seen: client.seen, received: server.received() }
    },
  },
  'no connection': {
    since: 3,
    does: async (kit) => {
      const client = new Client()
      const nowhere = connect(kit, 'http://127.0.0.1:1')
      const error = await client.open({ client: nowhere }).then(() => undefined, String)
      return { error, closed: await client.closed, seen: client.seen }
    },
  },
  'user and session': (kit) =>
    propagateAttributes({ userId: 'u-1', sessionId: 's-1' }, async () => {
      const client = await open(kit)
      await client.ask('What is a span?')
      return client.close()
    }),
}
