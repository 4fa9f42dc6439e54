import { once } from 'node:events'
import type { RunningApp } from './column.ts'
import type { Caller } from './drawn.ts'
import { askTcp } from './tcp.ts'

/** What one caller does, and what comes of it. */
export type Ask<App = RunningApp> = (app: App, caller: Caller) => Promise<unknown>

/**
 * Each request has a connection of its own. A server closes one that was idle for five seconds, which on a busy machine lie
 * between two requests: a request that is lost there leaves the other user waiting for ever.
 */
const headersOf = ({ user, session }: Caller) => ({ 'x-user': user, 'x-session': session, connection: 'close' })

/** Answers with the body, after its status when that is not 200 or 201. */
const http =
  (method: 'GET' | 'POST') =>
  (path: string, more: Readonly<Record<string, string>> = {}, body?: object): Ask<{ readonly url: string }> =>
  async ({ url }, caller) => {
    const headers = { ...headersOf(caller), ...more, ...(body ? { 'content-type': 'application/json' } : {}) }
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await response.text()
    return response.status > 201 ? `${response.status} ${text}` : text
  }

export const get = http('GET')
export const post = http('POST')

/** Answers with the data of all events. */
export const listen =
  (path: string): Ask =>
  async (app, caller) =>
    dataIn(String(await get(path)(app, caller)))

/** Ada leaves after the first event. Answers with the data that were seen. */
export const listenUntilAdaLeaves =
  (path: string): Ask =>
  async ({ url }, caller) => {
    const leaving = new AbortController()
    const response = await fetch(url + path, { headers: headersOf(caller), signal: leaving.signal })
    let seen = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      seen += chunk
      if (caller.user !== 'ada' || !/^data: first/m.test(seen)) continue
      leaving.abort()
      break
    }
    return dataIn(seen)
  }

const dataIn = (events: string): string => [...events.matchAll(/^data: (.*)$/gm)].map(([, data]) => data).join('')

export const query =
  (document: string): Ask =>
  async (app, caller) =>
    JSON.parse(String(await post('/graphql', {}, { query: document })(app, caller))).data

export const message =
  (to: 'inheriting' | 'hooked' | 'alone', pattern: string, data: object): Ask =>
  ({ ports }, claims) =>
    askTcp(ports[to], pattern, { ...data, claims })

/** Opens a socket, asks once when it is open, and answers with what comes back. */
export const talk =
  (event: string): Ask =>
  async ({ ports }, { user, session }) => {
    const socket = new WebSocket(`ws://127.0.0.1:${ports.http}/?${new URLSearchParams({ user, session })}`)
    // Of a socket that is closed, no other event comes.
    const closed = once(socket as never, 'close').then(([{ code }]) => Promise.reject(new Error(`closed with ${code}`)))
    closed.catch(() => {})
    await Promise.race([once(socket as never, 'open'), closed])
    const answer = once(socket as never, 'message')
    socket.send(JSON.stringify({ event }))
    const [{ data }] = await Promise.race([answer, closed])
    socket.close()
    return JSON.parse(data).data
  }
