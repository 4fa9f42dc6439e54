import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ended } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { build, folderOf } from './app.ts'
import { makeCells, rendering } from './cases/rendering.ts'
import { running } from './cases/running.ts'
import { drawing, observed } from './drawn.ts'

// A second application, built with webpack: an edge function, middleware on the edge, routes on Node, and a file for each
// way in which Next renders.
let service: Service
let built: Ended
beforeAll(async () => {
  service = await startService()
  rmSync(folderOf('edge-app', '.next'), { recursive: true, force: true })
  makeCells()
  built = await build('edge-app', service.env, '--webpack')
}, 900_000)
afterAll(() => service?.close())

it('a webpack build succeeds, without a warning about Node in edge bundles', () => {
  expect(built.code, built.stdout + built.stderr).toBe(0)
  expect(built.stdout + built.stderr).not.toMatch(/not supported in the Edge Runtime|can't be external/)
})

describe('an edge function', () => {
  // Nothing would leave by itself while this runs, and nothing without what hides addresses: a chunk that is loaded later.
  const app = running(() => service, {
    app: 'edge-app',
    isForged: true,
    env: { SVC_FLUSH_INTERVAL: '600', SVC_REDACT: 'email' },
  })

  it('is one trace that is delivered with the request, with its user, and does not trust its caller', async () => {
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
    const headers = { traceparent, baggage: 'svc_user_id=evil,svc_session_id=evil' }
    const response = await fetch(`${app().url}/api/edge?user=edith`, { headers })
    expect([await response.text(), response.headers.get('x-kept')]).toEqual(['piece by piece', 'yes'])
    const { local } = service
    const tree = 'on the edge\n  inside'
    expect(await drawing(local, 'edith', tree)).toBe(tree)
    const root = await observed(local, 'on the edge', 'edith')
    expect(root).toMatchObject({ parentId: null, output: 'piece by piece', sessionId: null, level: 'DEFAULT' })
    expect(root.traceId).not.toBe('1'.repeat(32))
    const span = local.spans().find(({ spanId }) => spanId === root.id)
    expect(span?.links).toEqual([expect.objectContaining({ traceId: '1'.repeat(32), spanId: '2'.repeat(16) })])
    expect(span?.resource.attributes['service.name']).toBe('edge-app')
  })

  it('that is the middleware of a Node route is the root of its trace, and sets the user', async () => {
    const headers = { cookie: 'session=from-the-edge', baggage: 'svc_session_id=evil' }
    const response = await fetch(`${app().url}/api/node`, { headers })
    expect(await response.json()).toEqual({ done: true })
    const { local } = service
    const middleware = await observed(local, 'middleware')
    expect(middleware).toMatchObject({ sessionId: 'from-the-edge', isRoot: true })
    await app().stop()
    const route = await observed(local, 'on node')
    expect(route).toMatchObject({
      traceId: middleware.traceId,
      parentId: middleware.id,
      sessionId: 'from-the-edge',
      userId: 'ada',
    })
  })
})

describe('a route on Node', () => {
  const app = running(() => service, { app: 'edge-app', env: { SVC_FLUSH_INTERVAL: '0.05' } })
  const names = (name: string) => service.local.observations((each) => each.name === name)

  it('that Next caches stays cached, and is revalidated in time', async () => {
    const read = async () => {
      const response = await fetch(`${app().url}/api/fresh`)
      const { number } = (await response.json()) as { number: number }
      return { status: response.status, cache: response.headers.get('x-nextjs-cache'), number }
    }
    const built = await read()
    expect(built).toMatchObject({ status: 200, cache: expect.stringMatching(/HIT|STALE/) })
    await expect.poll(async () => (await read()).number).not.toBe(built.number)
    const renewed = await read()
    expect(renewed).toMatchObject({ status: 200, cache: expect.stringMatching(/HIT|STALE/) })
    expect(names('fresh')).toEqual([])
  })

  it('with a bundled library has its request recorded, without a warning', async () => {
    const response = await fetch(`${app().url}/api/bundled`, { method: 'POST', body: 'Say hi.' })
    expect(response.status).toBe(200)
    const call = await observed(service.local, 'chat gpt-4.1-mini')
    expect(call).toMatchObject({ type: 'GENERATION', usage: { output: 21 } })
  })

  it('ends with its headers for a HEAD request', async () => {
    const before = names('on node').length
    const response = await fetch(`${app().url}/api/node`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    const root = await service.local.waitFor(() => names('on node')[before])
    expect(root).toMatchObject({ level: 'DEFAULT', output: null })
  })

  it('records an unobserved error in the trace of the request', async () => {
    expect((await fetch(`${app().url}/api/broken`)).status).toBe(500)
    const error = await observed(service.local, 'GET /api/broken')
    expect(error).toMatchObject({
      type: 'EVENT',
      level: 'ERROR',
      statusMessage: 'the route broke',
      metadata: { routePath: '/api/broken', routeType: 'route' },
    })
  })
})

rendering(() => service)

describe('the build output', () => {
  const filesBelow = (...path: string[]) => {
    const folder = folderOf('edge-app', '.next', ...path)
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
    return names.map((name) => ({ name, code: readFileSync(join(folder, name), 'utf8') }))
  }
  const edge = () =>
    filesBelow('server').filter(({ name }) => /^(?:middleware|edge-instrumentation|pages\/api\/edge)\.js$/.test(name))

  it('for the edge imports no Node modules except those of Next itself', () => {
    expect(
      edge()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['edge-instrumentation.js', 'middleware.js', 'pages/api/edge.js'])
    const imported = edge().flatMap(({ code }) =>
      [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name),
    )
    const nexts = ['node:async_hooks', 'node:buffer']
    expect(imported.filter((name) => isBuiltin(name) && !nexts.includes(name))).toEqual([])
  })

  it('for the edge stays small', () => {
    const limits: Record<string, number> = { 'edge-instrumentation.js': 140_000 }
    // Most of the others is Next's own, and what the application imports of @svc/tracing.
    for (const { name, code } of edge()) expect([name, code.length < (limits[name] ?? 170_000)]).toEqual([name, true])
  })

  it('for the page contains only client code', () => {
    const chunks = filesBelow('static')
    const ours = chunks.filter(({ code }) => code.includes('svc.next-client.6'))
    expect(ours.length).toBeGreaterThan(0)
    expect(chunks.filter(({ code }) => /svc\.(?:runtime|next|exit)\.6|opentelemetry\.js\.api/.test(code))).toEqual([])
    expect(chunks.filter(({ code }) => code.includes(service.local.secretKey))).toEqual([])
    expect(ours.some(({ code }) => code.includes(service.local.publicKey))).toBe(true)
  })
})
