// Answers of the model server that do not leave the process: each question goes out once.
import { Readable } from 'node:stream'

const { fetch } = globalThis
const answers = new Map()

globalThis.fetch = async (input, init) => {
  const [url, body] = [String(input?.url ?? input), init?.body ?? (await input.clone?.().text())]
  const key = `${url} ${body}`
  if (!answers.has(key)) answers.set(key, await taken(url, body))
  const { bytes, status, type } = answers.get(key)
  return new Response(bytes, { status, headers: { 'content-type': type } })
}

async function taken(url, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { bytes: await response.bytes(), status: response.status, type: response.headers.get('content-type') }
}

/** The same for clients of AWS. */
export const requestHandler = {
  async handle({ path, body }) {
    const { status, headers, body: stream } = await globalThis.fetch(`${process.env.MODEL_URL}${path}`, { body })
    return { response: { statusCode: status, headers: Object.fromEntries(headers), body: Readable.fromWeb(stream) } }
  },
}
