import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { INSTALL_TIMEOUT } from '../support/debian.ts'
import type { Program } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { type Column, launch } from './support/column.ts'
import { type Redis, startRedis } from './support/redis.ts'

const column: Column = { nest: 12, adapter: 'express', node: '24.21.0', preload: true }

let service: Service
let redis: Redis
beforeAll(async () => {
  service = await startService()
  redis = await startRedis()
}, INSTALL_TIMEOUT)
afterAll(async () => {
  await service?.close()
  await redis?.close()
})

let started: Program[] = []
// A service that still listens to a channel of Redis would answer the next pair as well.
async function end(): Promise<void> {
  for (const program of started) program.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  started = []
}

async function start(env: Record<string, string>): Promise<{ http: number; tcp: number }> {
  const program = launch(column, 'services.js', {
    ...service.env,
    SVC_FLUSH_INTERVAL: '0.05',
    REDIS_SOCKET: redis.socket,
    ...env,
  })
  started.push(program)
  const [, printed = ''] = await program.printed(/listening (.*)/)
  return JSON.parse(printed)
}

const WAYS = ['fetch', 'http', 'tcp', 'redis'] as const

/** A gateway and the service it asks. */
async function pair(trust: string | boolean, propagate: boolean) {
  const orders = await start({ ROLE: 'orders', TRUST: String(trust) })
  const url = `http://127.0.0.1:${orders.http}`
  const to: Record<string, string> = propagate ? { SVC_PROPAGATE_TO: url } : {}
  return await start({ ROLE: 'gateway', ORDERS_URL: url, ORDERS_PORT: String(orders.tcp), ...to })
}

/** The two roots of one request by `how`: that of the gateway, and that of the service. */
async function roots(gateway: { http: number }, how: string, query = '') {
  const before = service.local.spans().length
  expect(await (await fetch(`http://127.0.0.1:${gateway.http}/${how}${query}`)).text()).toBe('ordered')
  return await service.local.waitFor((local) => {
    const spans = local.spans().slice(before)
    const [caller] = spans.filter(({ name }) => name === `Gateway.${how}`)
    const [called] = spans.filter(({ name }) => name === 'Orders.order')
    return caller && called && { caller, called }
  })
}

describe('two services of which the caller propagates its trace and the callee trusts it', () => {
  let gateway: Awaited<ReturnType<typeof pair>>
  beforeAll(async () => {
    gateway = await pair(true, true)
  })
  afterAll(end)

  it('share a trace', async () => {
    for (const how of WAYS) {
      const { caller, called } = await roots(gateway, how)
      expect(called.traceId, how).toBe(caller.traceId)
      // The caller knows the user, and is not configured to pass it on.
      expect([caller, called].map(({ attributes }) => attributes['user.id'])).toEqual(['ada', undefined])
    }
  })

  it('share a user if the caller propagates it', async () => {
    for (const how of WAYS) {
      const { called } = await roots(gateway, how, '?as=eve')
      expect(called.attributes['user.id'], how).toBe('eve')
    }
  })
})

describe('two services', () => {
  afterEach(end)

  it('have two traces if the callee does not trust the caller', async () => {
    const gateway = await pair(false, true)
    for (const how of WAYS) {
      const { caller, called } = await roots(gateway, how, '?as=eve')
      expect(called.traceId, how).not.toBe(caller.traceId)
      expect(called.links, how).toEqual([expect.objectContaining({ traceId: caller.traceId })])
      expect(called.attributes['user.id']).toBe(undefined)
    }
  })

  it('share a trace if the callee trusts the address of the caller, which that of a broker is not', async () => {
    const gateway = await pair('loopback', true)
    for (const how of WAYS) {
      const { caller, called } = await roots(gateway, how, '?as=eve')
      const isSeen = how !== 'redis'
      expect(called.traceId === caller.traceId, how).toBe(isSeen)
      expect(called.attributes['user.id'], how).toBe(isSeen ? 'eve' : undefined)
    }
  })

  it('have two traces if the caller does not propagate it', async () => {
    const gateway = await pair(true, false)
    for (const how of ['fetch', 'http']) {
      const { caller, called } = await roots(gateway, how)
      expect(called.traceId, how).not.toBe(caller.traceId)
    }
  })
})
