// Each client that sends requests, in one form.
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:http2'
import { request as requestSafely } from 'node:https'
import { PassThrough, Readable } from 'node:stream'

const method = 'POST'
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-test' }
const bodyOf = (body) => (typeof body === 'string' ? body : Readable.from(body.map((piece) => Buffer.from(piece))))

const ofUndici = (name) => {
  const described = ({ statusCode, headers, body }) => ({
    status: statusCode,
    type: headers['content-type'],
    chunks: body,
  })
  return {
    [`${name} request`]: async (url, body, { signal }) => {
      const undici = await import(name)
      return described(await undici.request(url, { method, headers, body: bodyOf(body), signal }))
    },
    [`${name} stream`]: async (url, body, { signal }) => {
      const undici = await import(name)
      const chunks = new PassThrough()
      return new Promise((resolve, reject) => {
        const start = (head) => {
          resolve(described({ ...head, body: chunks }))
          return chunks
        }
        chunks.on('error', reject)
        undici
          .stream(url, { method, headers, body: bodyOf(body), signal }, start)
          .catch((error) => chunks.destroy(error))
      })
    },
    [`${name} pipeline`]: async (url, body, { signal }) => {
      const undici = await import(name)
      return new Promise((resolve, reject) => {
        const chunks = undici.pipeline(url, { method, headers, signal }, (response) => {
          resolve(described({ ...response, body: chunks }))
          return response.body
        })
        chunks.on('error', reject)
        for (const piece of [body].flat()) chunks.write(piece)
        chunks.end()
      })
    },
  }
}

const ofNode =
  (request) =>
  async (url, body, { signal }) => {
    const sending = request(url, { method, headers, signal, rejectUnauthorized: false })
    for (const piece of [body].flat()) sending.write(piece)
    sending.end()
    const [response] = await once(sending, 'response')
    return { status: response.statusCode, type: response.headers['content-type'], chunks: response }
  }

const ofFetch = (response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  chunks: response.body,
})

export const SENDERS = {
  fetch: async (url, body, { signal }) => {
    const response = await fetch(url, { method, headers, body: bodyOf(body), signal, duplex: 'half' })
    return { ...ofFetch(response), url: new URL(response.url).pathname }
  },
  'fetch, cloned': async (url, body, { signal }) => {
    const response = await fetch(url, { method, headers, body: bodyOf(body), signal, duplex: 'half' })
    const clone = response.clone().text()
    clone.catch(() => {})
    return ofFetch(response)
  },
  ...ofUndici('undici-6'),
  ...ofUndici('undici-7'),
  ...ofUndici('undici-8'),
  'node:http': ofNode(request),
  'node:https': ofNode(requestSafely),
  'node:http2': async (url, body, { signal }) => {
    const { origin, pathname } = new URL(url)
    const session = connect(origin)
    const stream = session.request({ ':method': method, ':path': pathname, ...headers }, { signal })
    for (const piece of [body].flat()) stream.write(piece)
    stream.end()
    stream.on('close', () => session.close())
    const [head] = await once(stream, 'response')
    return { status: head[':status'], type: head['content-type'], chunks: stream }
  },
  axios: async (url, body, { signal }) => {
    const { default: axios } = await import('axios')
    const options = { headers, signal, responseType: 'stream', validateStatus: () => true }
    const { status, headers: head, data } = await axios.post(url, bodyOf(body), options)
    return { status, type: head['content-type'], chunks: data }
  },
  got: async (url, body, { signal }) => {
    const { default: got } = await import('got')
    const stream = got.stream.post(url, { headers, signal, throwHttpErrors: false, retry: { limit: 0 } })
    for (const piece of [body].flat()) stream.write(piece)
    stream.end()
    const [response] = await once(stream, 'response')
    return { status: response.statusCode, type: response.headers['content-type'], chunks: stream }
  },
  'node-fetch': async (url, body, { signal }) => {
    const { default: nodeFetch } = await import('node-fetch')
    return ofFetch(await nodeFetch(url, { method, headers, body: bodyOf(body), signal }))
  },
  superagent: async (url, body, { signal }) => {
    const { default: superagent } = await import('superagent')
    return new Promise((resolve, reject) => {
      const sending = superagent.post(url).set(headers).send(body)
      const chunks = new PassThrough().on('error', reject)
      const fail = (error) => chunks.destroy(error)
      signal?.addEventListener('abort', () => {
        sending.abort()
        fail(signal.reason)
      })
      chunks.on('close', () => sending.abort())
      sending.on('error', fail)
      sending.on('response', (response) => {
        response.on('error', fail)
        resolve({ status: response.status, type: response.type, chunks })
      })
      sending.pipe(chunks)
    })
  },
}
