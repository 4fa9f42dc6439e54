import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cwd } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const app = fileURLToPath(new URL('../tracing/apps/outgoing.mjs', import.meta.url))

let service: Service
const received = new Map<string, IncomingHttpHeaders>()
const other = createServer((request, response) => {
  received.set(request.url ?? '', request.headers)
  response.end()
})

beforeAll(async () => {
  service = await startService()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  other.close()
  await service.close()
})

/** Runs the application and returns the headers that the other service got, by path. */
async function headersUnder(env: Record<string, string>) {
  received.clear()
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const before = service.local.spans().length
  const { code, stderr } = await runNode(['--import', '@svc/register', app, url], {
    cwd,
    env: { ...service.env, ...env },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return service.local.spans().slice(before)
}

describe('with HTTP client instrumentations enabled', () => {
  it('trace context of an exported span is sent by fetch and http, and baggage only with asBaggage', async () => {
    const spans = await headersUnder({ SVC_INSTRUMENTATIONS: 'openai,http,undici' })
    expect(spans.map((span) => span.name)).toEqual(['caller', 'caller'])
    for (const [asBaggage, span] of [
      [true, spans[0]],
      [false, spans[1]],
    ] as const) {
      for (const client of ['fetch', 'http']) {
        const headers = received.get(`/${client}/${asBaggage}`)
        expect(headers?.traceparent).toBe(`00-${span?.traceId}-${span?.spanId}-01`)
        expect(String(headers?.baggage).includes('svc_user_id=ada')).toBe(asBaggage)
      }
    }
  })
})

describe('without HTTP client instrumentations', () => {
  it('no headers are added to requests of the application', async () => {
    await headersUnder({})
    expect(received.size).toBe(4)
    for (const headers of received.values()) {
      expect(headers).not.toHaveProperty('traceparent')
      expect(headers).not.toHaveProperty('baggage')
    }
  })
})
