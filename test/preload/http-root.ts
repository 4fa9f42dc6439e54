import { connect } from 'node:net'
import { expect } from 'vitest'
import { type Program, startNode } from '../support/run.ts'
import type { Service } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

export type Spans = ReturnType<Service['local']['spans']>

/** The spans of requests to a program that listens. */
export async function spansOf(
  service: Service,
  name: string,
  env: Record<string, string>,
  ask: (url: string, program: Program) => Promise<unknown>,
): Promise<{ readonly stderr: string; readonly spans: Spans }> {
  const before = service.local.spans().length
  const program = startNode([...PRELOAD, app(name)], { cwd, env: { ...service.env, ...env } })
  const [, port] = await program.printed(/listening on (\d+)/)
  await ask(`http://127.0.0.1:${port}`, program)
  program.kill('SIGTERM')
  const { stderr } = await program.ended
  return { stderr, spans: service.local.spans().slice(before) }
}

export const post = (url: string) => fetch(url, { method: 'POST', body: 'x' }).then((response) => response.text())

const atOnce = (urls: readonly string[]) => Promise.all(urls.map(post))

/** Sends all requests in one piece over one connection, which is closed after the last response. */
export async function pipelined(urls: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(urls[0] ?? '')
  const requests = urls.map((url, at) => {
    const { pathname, search, host } = new URL(url)
    const connection = at < urls.length - 1 ? 'keep-alive' : 'close'
    return `POST ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nconnection: ${connection}\r\ncontent-length: 1\r\n\r\nx`
  })
  const socket = connect(Number(port), hostname)
  socket.write(requests.join(''))
  const pieces: Buffer[] = await socket.toArray()
  return [Buffer.concat(pieces).toString()]
}

/**
 * The model calls of a request that a framework serves have one root, named by the route, with the first user message,
 * the last response, and the user and session that were propagated first.
 */
export async function expectRoots(
  service: Service,
  framework: string,
  route: string | undefined,
  send: typeof atOnce = atOnce,
): Promise<void> {
  // POST /chat/:id
  // ├─ chat gpt-test
  // └─ chat gpt-test
  const ids = ['0', '1', '2', '3']
  const { spans, stderr } = await spansOf(service, 'frameworks.mjs', { FRAMEWORK: framework }, (url) =>
    send(ids.map((id) => `${url}/chat/${id}?secret=1`)),
  )
  expect(stderr).toBe('')
  const roots = spans.filter((span) => span.parentSpanId === null)
  expect(roots.map((root) => root.name)).toEqual(ids.map(() => 'POST /chat/:id'))
  expect(roots.map((root) => root.attributes['svc.observation.input']).sort()).toEqual(ids.map((id) => `first ${id}`))
  expect(new Set(roots.map((root) => root.attributes['http.route']))).toEqual(new Set([route]))
  for (const root of roots) {
    expect(root.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 })
    expect(root.attributes['url.path']).toMatch(/^\/chat\/\d$/)
    expect(root.attributes['svc.observation.output']).toMatch(/./)
    const user = `ada ${String(root.attributes['url.path']).at(-1)}`
    expect(root.attributes).toMatchObject({ 'user.id': user, 'session.id': `of ${user}` })
    expect(spans.filter((span) => span.parentSpanId === root.spanId)).toHaveLength(2)
  }
  expect(spans).toHaveLength(12)
}
