import { createRequire } from 'node:module'
import { join } from 'node:path'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { setSvcTracerProvider } from '@svc/tracing'
import { NextRequest } from 'next/server.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withSvc } from './with-svc.ts'

const exporter = new InMemorySpanExporter()
setSvcTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))

const { cache } = createRequire(join(process.cwd(), 'package.json'))
const MODULES = '/app/node_modules/next/dist/server/app-render/'
let unit: object | undefined
let work: object | undefined

// Next's own stores, which tell what it works on.
beforeEach(() => {
  for (const path of Object.keys(cache)) if (path.includes('async-storage.external')) delete cache[path]
  const stores = { workUnitAsyncStorage: { getStore: () => unit }, workAsyncStorage: { getStore: () => work } }
  cache[`${MODULES}work-unit-async-storage.external.js`] = { exports: stores } as NodeJS.Module
})
afterEach(() => {
  exporter.reset()
  work = undefined
})

/** As Next hands it over to a static route: what is asked of it is asked of the proxy, which `Request` refuses. */
const ofStatic = () =>
  new Proxy(new NextRequest('https://shop.example/api/fs/7'), {
    get: (target, name, receiver) => (name === 'headers' ? new Headers() : Reflect.get(target, name, receiver)),
  })
const params = Promise.resolve({ id: '7' })
const handler = withSvc({ user: 'ada' }, async (_, context) => Response.json(await context.params))
const answer = async (request: NextRequest) => (await handler(request, { params })).json()

it.each(['prerender-legacy', 'prerender', 'cache'])(
  'of a request in a %s nothing is read or observed',
  async (type) => {
    unit = { type }
    const read: PropertyKey[] = []
    const watched = new Proxy({} as NextRequest, { get: (_, name) => read.push(name) })
    expect(await answer(watched)).toEqual({ id: '7' })
    expect([read, exporter.getFinishedSpans()]).toEqual([[], []])
  },
)

it('a request whose method cannot be read is observed as GET', async () => {
  unit = { type: 'request' }
  work = { route: '/api/fs/[id]' }
  const request = ofStatic()
  expect(() => request.method).toThrow(TypeError)
  expect(await answer(request)).toEqual({ id: '7' })
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['GET /api/fs/[id]'])
})

it('a request without a route that Next tells is named by its method alone', async () => {
  unit = { type: 'request' }
  await answer(new NextRequest('https://shop.example/api/fs/7', { method: 'POST' }))
  const [span] = exporter.getFinishedSpans()
  expect([span?.name, span?.attributes['http.route']]).toEqual(['POST', undefined])
})
