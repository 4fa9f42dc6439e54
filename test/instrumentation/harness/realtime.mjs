import { once } from 'node:events'
import { createServer } from 'node:http'

/** What differs between the API of today and its beta. */
const WORDS = {
  now: { added: 'conversation.item.added', text: 'output_text', audio: 'output_audio', input: 'input_audio' },
  beta: { added: 'conversation.item.created', text: 'text', audio: 'audio', input: 'input_audio' },
}
const SESSIONS = {
  now: {
    output_modalities: ['audio'],
    audio: {
      input: { format: { type: 'audio/pcm', rate: 24_000 } },
      output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'marin' },
    },
  },
  beta: {
    modalities: ['text', 'audio'],
    voice: 'alloy',
    input_audio_format: 'pcm16',
    output_audio_format: 'g711_ulaw',
    temperature: 0.8,
    max_response_output_tokens: 'inf',
  },
}
const USAGE = {
  total_tokens: 90,
  input_tokens: 60,
  output_tokens: 30,
  input_token_details: {
    text_tokens: 20,
    audio_tokens: 40,
    cached_tokens: 24,
    cached_tokens_details: { text_tokens: 8, audio_tokens: 16 },
  },
  output_token_details: { text_tokens: 10, audio_tokens: 20 },
}

/** Half a second of nothing, at 24 kHz. */
export const SILENCE = Buffer.alloc(24_000).toString('base64')

/**
 * A server of realtime sessions on loopback, without TLS. What the user says last decides what the model does.
 *
 * @param Server `WebSocketServer` of `ws`
 */
export async function realtimeServer(Server) {
  const http = createServer()
  const sockets = new Server({ server: http, handleProtocols: (protocols) => [...protocols][0] })
  const received = []
  sockets.on('connection', (socket, request) => {
    const { searchParams } = new URL(request.url, 'http://localhost')
    const { 'sec-websocket-key': _, host: __, ...headers } = request.headers
    received.push({ headers, query: Object.fromEntries(searchParams) })
    const model = searchParams.get('model')
    const session = new ServedSession(socket, model, /preview/.test(model) ? 'beta' : 'now')
    socket.on('message', (data) => {
      const event = JSON.parse(data)
      received.push(event)
      session.receive(event)
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  http.unref()
  return { port: http.address().port, received: () => received.splice(0) }
}

/** What the server gives has a number of its own, in all sessions. */
let count = 0

class ServedSession {
  #socket
  #words
  #session
  #last = ''
  #open
  #spoken
  #partial

  constructor(socket, model, dialect) {
    this.#socket = socket
    this.#words = WORDS[dialect]
    this.#session = { id: 'sess_1', object: 'realtime.session', model, instructions: 'Be kind.', ...SESSIONS[dialect] }
    if (model === 'refused') socket.close(4001, 'no such model')
    else this.#send('session.created', { session: this.#session })
  }

  #send(type, fields) {
    this.#socket.send(JSON.stringify({ type, event_id: `event_${count++}`, ...fields }))
  }

  receive(event) {
    const { type, item, session, response, event_id, item_id } = event
    if (type === 'session.update') {
      Object.assign(this.#session, session)
      this.#send('session.updated', { session: this.#session })
    } else if (type === 'conversation.item.create') {
      this.#last = item.output ? 'answered' : (item.content[0].text ?? 'spoken')
      this.#add(item)
    } else if (type === 'input_audio_buffer.commit') {
      this.#last = 'spoken'
      this.#spoken = this.#add({
        type: 'message',
        role: 'user',
        content: [{ type: this.#words.input, transcript: null }],
      }).id
    } else if (type === 'response.create') {
      this.#begin(response)
      this.#respond(response)
    } else if (type === 'response.cancel') {
      this.#done(this.#open, [this.#partial], {
        status: 'cancelled',
        status_details: { type: 'cancelled', reason: 'client_cancelled' },
      })
    } else if (type === 'conversation.item.delete') {
      this.#send('conversation.item.deleted', { item_id })
    } else if (!/^input_audio_buffer|retrieve$/.test(type)) {
      const error = {
        type: 'invalid_request_error',
        code: 'invalid_value',
        message: `no such event: ${type}`,
        event_id,
      }
      this.#send('error', { error })
    }
  }

  #add(item) {
    const added = { id: `item_${count++}`, object: 'realtime.item', status: 'completed', ...item }
    this.#send(this.#words.added, { previous_item_id: null, item: added })
    if (this.#words === WORDS.now) this.#send('conversation.item.done', { previous_item_id: null, item: added })
    return added
  }

  #begin(request = {}) {
    this.#open = { object: 'realtime.response', id: `resp_${count++}`, metadata: null, output: [] }
    if (request.max_output_tokens) this.#open.max_output_tokens = request.max_output_tokens
    this.#send('response.created', { response: { ...this.#open, status: 'in_progress' } })
  }

  #done(response, output, more = { status: 'completed', status_details: null }) {
    this.#send('response.done', { response: { ...response, ...more, output, usage: USAGE } })
  }

  #respond(request) {
    const response = this.#open
    const does = request?.input?.[0]?.content?.[0]?.text ?? this.#last
    if (/weather/.test(does)) this.#callTool(response, 'weather', '{"city":"Paris"}')
    else if (/expert/.test(does)) this.#callTool(response, 'transfer_to_Expert', '{}')
    else if (/answered|spoken/.test(does)) this.#speak(response)
    else if (does === 'too long') {
      const item = this.#write(response, 'A very long')
      this.#done(response, [item], {
        status: 'incomplete',
        status_details: { type: 'incomplete', reason: 'max_output_tokens' },
      })
    } else if (does === 'fails') {
      const error = { type: 'server_error', code: 'overloaded', message: 'the model is busy' }
      this.#done(response, [], { status: 'failed', status_details: { type: 'failed', error } })
    } else if (/hangs|closes|drops/.test(does)) {
      this.#partial = { ...this.#write(response, 'Well, ', false), status: 'incomplete' }
      if (does === 'closes') this.#socket.close(1011, 'internal error')
      if (does === 'drops') setImmediate(() => this.#socket.terminate())
    } else this.#done(response, [this.#write(response, 'A unit of work.')])
  }

  #item(response, fields) {
    const item = { id: `item_${count++}`, object: 'realtime.item', ...fields }
    const at = { response_id: response.id, output_index: 0 }
    this.#send('response.output_item.added', { ...at, item: { ...item, content: [], status: 'in_progress' } })
    this.#send(this.#words.added, { item: { ...item, content: [], status: 'in_progress' } })
    return { item, at: { ...at, item_id: item.id, content_index: 0 } }
  }

  #write(response, text, ends = true) {
    const { item, at } = this.#item(response, { type: 'message', role: 'assistant' })
    const { text: type } = this.#words
    for (const delta of text.match(/.{1,6}/g)) this.#send(`response.${type}.delta`, { ...at, delta })
    const done = { ...item, status: 'completed', content: [{ type, text }] }
    if (ends) this.#send('response.output_item.done', { ...at, item: done })
    return done
  }

  #speak(response) {
    const { item, at } = this.#item(response, { type: 'message', role: 'assistant' })
    const { audio } = this.#words
    const transcript = 'It is sunny.'
    this.#send(`response.${audio}.delta`, { ...at, delta: SILENCE })
    this.#send(`response.${audio}_transcript.delta`, { ...at, delta: transcript })
    if (this.#last === 'spoken') {
      // What the user spoke is written down while the model answers already.
      const item_id = this.#spoken
      const type = 'conversation.item.input_audio_transcription.completed'
      this.#send(type, { item_id, content_index: 0, transcript: 'How is it outside?' })
    }
    const done = { ...item, status: 'completed', content: [{ type: audio, transcript }] }
    this.#send('response.output_item.done', { ...at, item: done })
    this.#done(response, [done])
  }

  #callTool(response, name, input) {
    const call_id = 'call_1'
    const { item, at } = this.#item(response, { type: 'function_call', call_id, name })
    this.#send('response.function_call_arguments.delta', { ...at, call_id, delta: input })
    this.#send('response.function_call_arguments.done', { ...at, call_id, arguments: input })
    const done = { ...item, status: 'completed', arguments: input }
    this.#send('response.output_item.done', { ...at, item: done })
    this.#done(response, [done])
  }
}
