// What an application sees of each way that a request can go, line by line. Its own requests to the model are by a client
// of Node's that nothing follows: they ask no model.
import { createHash } from 'node:crypto'
import { get } from 'node:http'

const [sender, url, target] = process.argv.slice(2)

export const messages = [{ role: 'user', content: 'Say hello.' }]

const tell = (path, name) =>
  new Promise((resolve, reject) => {
    get(`${url}/${path}?name=${encodeURIComponent(name)}`, (response) => response.resume().on('end', resolve)).on(
      'error',
      reject,
    )
  })

const text = (part) => (typeof part === 'string' ? part : Buffer.from(part).toString())

const CASES = {
  whole: async (ask) => all(await ask()),
  refused: async (ask) => all(await ask()),
  streamed: async (ask, name) => {
    const { chunks, ...head } = await ask({ stream: true })
    const seen = []
    for await (const part of chunks) {
      seen.push(text(part))
      await tell('go-on', `${name} ${seen.length}`)
    }
    return { ...head, seen }
  },
  'streamed and left': async (ask) => {
    const { chunks, ...head } = await ask({ stream: true })
    for await (const part of chunks) return { ...head, seen: text(part) }
  },
  broken: async (ask, name) => {
    const { chunks } = await ask({ stream: true })
    for await (const part of chunks) {
      console.log(text(part))
      await tell('go-on', `${name} 1`)
    }
  },
  hung: async (ask, name) => {
    const controller = new AbortController()
    const asked = ask({}, { signal: controller.signal })
    await Promise.race([tell('arrived', name), asked])
    controller.abort()
    return all(await asked)
  },
  uploaded: async (ask) => all(await ask({}, { inPieces: true })),
  large: async (ask) => {
    const { chunks, ...head } = await ask()
    const hash = createHash('sha256')
    let length = 0
    for await (const part of chunks) {
      hash.update(text(part))
      length += part.length
      await new Promise(setImmediate)
    }
    return { ...head, length, hash: hash.digest('hex') }
  },
}

async function all({ chunks, ...head }) {
  const seen = []
  for await (const part of chunks) seen.push(text(part))
  return { ...head, seen }
}

const MODELS = { 'streamed and left': 'streamed', uploaded: 'whole' }

/** @param send sends the body of a request, a text or a list of texts, and returns status, headers and chunks */
export async function runCases(send, { without = [] } = {}) {
  for (const [name, run] of Object.entries(CASES)) {
    if (without.includes(name)) continue
    const user = `${sender}, ${name}`
    const ask = (more, { inPieces, ...options } = {}) => {
      const body = JSON.stringify({ model: MODELS[name] ?? name, user, messages, ...more })
      return send(target, inPieces ? [body.slice(0, 9), body.slice(9)] : body, options)
    }
    const seen = await run(ask, user).catch(({ name, code, message }) => ({ name, code, message }))
    console.log(`${name}: ${JSON.stringify(seen)}`)
  }
}

/** A thousand streams at once: what was received of all of them, once. */
export async function runMany(send) {
  const body = JSON.stringify({ model: 'many', stream: true, messages })
  const texts = await Promise.all(
    Array.from({ length: 1_000 }, async () => (await all(await send(target, body, {}))).seen.join('')),
  )
  console.log(texts.length, new Set(texts).size, texts[0])
}
