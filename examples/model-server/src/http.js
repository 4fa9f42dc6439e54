import { setTimeout as wait } from 'node:timers/promises'

const BODY_LIMIT = 16 * 1024 * 1024

const ERROR_TYPES = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** An answer other than 200, in the shape of the real API. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
    this.type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  }
}

/** What was asked: JSON, or the fields of a form, with the name and size of each file. */
export async function readBody(req) {
  const chunks = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size <= BODY_LIMIT) chunks.push(chunk)
  }
  if (size > BODY_LIMIT) throw new Refusal(413, `The body is larger than ${BODY_LIMIT} bytes`)
  const type = req.headers['content-type']
  if (type?.startsWith('multipart/form-data')) return readForm(Buffer.concat(chunks), type)
  return readJson(Buffer.concat(chunks).toString('utf8'))
}

async function readForm(bytes, type) {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const plain = (value) => (typeof value === 'string' ? value : { name: value.name, size: value.size })
  return Object.fromEntries([...form].map(([name, value]) => [name, plain(value)]))
}

function readJson(text) {
  let body
  try {
    body = JSON.parse(text)
  } catch {
    throw new Refusal(400, 'We could not parse the JSON body of your request')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(400, 'Expected a JSON object')
  return body
}

export function listOfObjects(value, name) {
  const valid =
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null)
  if (!valid) throw new Refusal(400, `Invalid type for '${name}': expected a list of objects`)
  return value
}

let requestCount = 0
const headers = (type) => ({ 'content-type': type, 'x-request-id': `req_${++requestCount}` })

export function sendJson(res, status, value, { cut, more } = {}) {
  const text = JSON.stringify(value)
  // Retries are quick here: there is no real model that has to recover.
  const retry = status === 429 || status >= 500 ? { 'retry-after-ms': '10' } : {}
  res.writeHead(status, {
    ...headers('application/json'),
    ...more,
    ...retry,
    'content-length': Buffer.byteLength(text),
  })
  if (cut) res.write(text.slice(0, text.length / 2), () => hangUp(res))
  else res.end(text)
}

/** A text, or bytes of some type. */
export function sendBytes(res, bytes, type = 'text/plain') {
  res.writeHead(200, { ...headers(type), 'content-length': Buffer.byteLength(bytes) })
  res.end(bytes)
}

/** @param refusal how the vendor puts it */
export function sendRefusal(res, error, refusal) {
  if (res.headersSent || res.destroyed) return res.destroy()
  const { status = 500, message, type = 'server_error' } = error
  sendJson(res, status, refusal({ status, message, type }))
}

/** Server-sent events. An event with a `type` is announced by name, as most protocols do; a text is sent as it is. */
export function sendStream(res, events, pace) {
  const texts = [...events].map((event) => {
    const name = event.type ? `event: ${event.type}\n` : ''
    return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
  })
  const comments = { atCut: ': the connection breaks here\n\n', atStall: ': nothing more comes\n\n' }
  return sendPieces(res, texts, { type: 'text/event-stream', ...comments, ...pace })
}

/** One JSON value a line. */
export function sendLines(res, lines, pace) {
  const texts = lines.map((line) => `${JSON.stringify(line)}\n`)
  return sendPieces(res, texts, { type: 'application/x-ndjson', atCut: '{"model":', ...pace })
}

/** Amazon's binary framing of events. The `payload` of a frame is its JSON where the frame itself has it in base64. */
export function sendFrames(res, frames, pace) {
  return sendPieces(res, frames, { type: 'application/vnd.amazon.eventstream', atCut: 'cut', ...pace })
}

async function sendPieces(res, texts, { type, atCut, atStall = '', pause, cut, stall }) {
  res.writeHead(200, headers(type))
  for (const [index, text] of texts.entries()) {
    if (cut && index >= texts.length / 2) return res.write(atCut, () => hangUp(res))
    if (pause && index > 0) await (typeof pause === 'number' ? wait(pause) : pause(index))
    if (res.destroyed) return
    if (!res.write(text)) await drained(res)
    if (stall && (text.payload ?? text).includes(stall)) return res.write(atStall)
  }
  res.end()
}

/** Ends the connection in the middle of a body. What was written still arrives. */
function hangUp(res) {
  res.socket?.end()
}

function drained(res) {
  return new Promise((resolve) => {
    res.once('drain', resolve)
    res.once('close', resolve)
  })
}
