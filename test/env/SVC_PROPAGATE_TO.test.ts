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

async function call(to: string | undefined, more: Record<string, string> = {}) {
  const env = {
    ...service.env,
    URLS: `${origin}/orders`,
    ...(to === undefined ? {} : { SVC_PROPAGATE_TO: to }),
    ...more,
  }
  const { code, stdout, stderr } = await runNode([...PRELOAD, app('calls-out.mjs')], { cwd, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [, trace, span] = /trace (\w+) span (\w+)/.exec(stdout) ?? []
  return { own: `00-${trace}-${span}-01`, sent: received.map(({ traceparent }) => traceparent) }
}

it.each([
  ['nothing', undefined],
  ['another origin', 'http://127.0.0.1:1'],
])('SVC_PROPAGATE_TO=%s adds no trace context to requests', async (_, to) => {
  const { sent } = await call(to, { AS_BAGGAGE: 'true' })
  expect(sent).toEqual([undefined, undefined, 'mine'])
  expect(received.map(({ baggage }) => baggage)).toEqual([undefined, undefined, undefined])
})

it('SVC_PROPAGATE_TO with an origin adds trace context to requests of fetch and node:http to that origin only', async () => {
  const { own, sent } = await call(`http://elsewhere:9,${origin}/`)
  expect(sent).toEqual([own, own, 'mine'])
  expect(received.some(({ baggage }) => baggage?.includes('svc_user_id'))).toBe(false)
})

it('SVC_PROPAGATE_TO with an origin sends baggage only with asBaggage', async () => {
  await call(origin, { AS_BAGGAGE: 'true' })
  expect(received.slice(0, 2).map(({ baggage }) => baggage)).toEqual(
    Array(2).fill(expect.stringContaining('svc_user_id=ada')),
  )
})

it.each(['http', 'undici'])(
  'SVC_PROPAGATE_TO beside the %s instrumentation adds one trace context to each request',
  async (name) => {
    const { sent } = await call(origin, { SVC_INSTRUMENTATIONS: name })
    for (const traceparent of sent.slice(0, 2)) expect(traceparent).toMatch(/^00-\w{32}-\w{16}-01$/)
  },
)
