import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let received: IncomingHttpHeaders[] = []
const other = createServer((request, response) => {
  received.push(request.headers)
  response.end('ok')
})
let origin = ''
beforeAll(async () => {
  service = await startService()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
})
beforeEach(() => {
  received = []
})
afterAll(async () => {
  other.close()
  await service.close()
})

async function call(variables: Readonly<Record<string, string>>) {
  const env = { ...service.env, URLS: `${origin}/orders`, ...variables }
  const { code, stdout, stderr } = await runNode([...PRELOAD, app('calls-out.mjs')], { cwd, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [, trace, span] = /trace (\w+) span (\w+)/.exec(stdout) ?? []
  return { own: `00-${trace}-${span}-01`, sent: received.map(({ traceparent }) => traceparent) }
}

it('SVC_PROPAGATE_TO of another origin adds neither trace context nor baggage to requests', async () => {
  const { sent } = await call({ SVC_PROPAGATE_TO: 'http://127.0.0.1:1', AS_BAGGAGE: 'true' })
  expect(sent).toEqual([undefined, undefined, 'mine'])
  expect(received.map(({ baggage }) => baggage)).toEqual([undefined, undefined, undefined])
})

it('SVC_PROPAGATE_TO with an origin adds trace context to requests of fetch and node:http, and no baggage', async () => {
  const { own, sent } = await call({ SVC_PROPAGATE_TO: `http://elsewhere:9,${origin}/` })
  expect(sent).toEqual([own, own, 'mine'])
  expect(received.some(({ baggage }) => baggage?.includes('svc_user_id'))).toBe(false)
})

it('SVC_PROPAGATE_TO beside HTTP instrumentations adds one trace context to each request, and baggage with asBaggage', async () => {
  const env = { SVC_PROPAGATE_TO: origin, SVC_INSTRUMENTATIONS: 'http,undici', AS_BAGGAGE: 'true' }
  const { sent } = await call(env)
  for (const traceparent of sent.slice(0, 2)) expect(traceparent).toMatch(/^00-\w{32}-\w{16}-01$/)
  expect(received.slice(0, 2).map(({ baggage }) => baggage)).toEqual(
    Array(2).fill(expect.stringContaining('svc_user_id=ada')),
  )
})
