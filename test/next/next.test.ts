import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ended } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { build, folderOf } from './app.ts'
import { CHAT } from './cases/chat.ts'
import { components } from './cases/components.ts'
import { ends } from './cases/ends.ts'
import { freezing } from './cases/freezing.ts'
import { options } from './cases/options.ts'
import { places } from './cases/places.ts'
import { prerendering } from './cases/prerendering.ts'
import { routes } from './cases/routes.ts'
import { running } from './cases/running.ts'
import { trust } from './cases/trust.ts'
import { Visitor } from './cases/visitor.ts'
import { drawing, observed, ofNext, orphans } from './drawn.ts'

// One application, built once with Turbopack and Cache Components, and started in each way there is.
let service: Service
let built: Ended
const PRELOAD_ONLY = { TEST_INSTRUMENTATION: 'none' }
const AT_ONCE = { SVC_FLUSH_INTERVAL: '0.05' }

beforeAll(async () => {
  service = await startService()
  rmSync(folderOf('app', '.next'), { recursive: true, force: true })
  built = await build('app', { ...service.env, NODE_OPTIONS: '--import @svc/register' })
}, 900_000)
afterAll(() => service?.close())

describe('next build under the preload', () => {
  it('succeeds with pages that create spans while they are prerendered, and sends nothing', () => {
    expect({ code: built.code, stderr: built.code === 0 ? '' : built.stdout + built.stderr }).toEqual({
      code: 0,
      stderr: '',
    })
    expect(service.local.requests()).toEqual([])
    expect(built.stdout + built.stderr).not.toContain('[Svc SDK]')
    expect(built.stdout).toMatch(/○ .*\/api\/public/)
  })
})

describe('next start with instrumentation.js', () => {
  const app = running(() => service, { env: AT_ONCE }, /the resolver of user failed/)
  routes(() => service, app)
  trust(() => service, app)
  components(() => service, app)
  prerendering(() => service, app)

  it('records an unobserved error in the trace of its page', async () => {
    await new Visitor(app()).read('/broken')
    const error = await observed(service.local, 'GET /broken')
    expect(error).toMatchObject({ type: 'EVENT', level: 'ERROR', statusMessage: 'the page broke' })
    expect(error.metadata).toMatchObject({ routePath: '/broken', routeType: 'render' })
  })

  it("sends none of Next's own spans, and leaves no gap in a trace", async () => {
    await service.local.waitFor(() => orphans(service.local).length === 0)
    expect(ofNext(service.local)).toEqual([])
  })
})

describe('next start with the preload and no instrumentation.js', () => {
  const app = running(() => service, { preload: true, env: { ...PRELOAD_ONLY, ...AT_ONCE } })
  prerendering(() => service, app)

  it('observes routes as well', async () => {
    const ada = new Visitor(app())
    await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
    expect(await drawing(service.local, ada.user, CHAT)).toBe(CHAT)
  })
})

describe('next start with both', () => {
  const app = running(() => service, { preload: true, env: { ...AT_ONCE, OTEL_SERVICE_NAME: 'from-the-environment' } })
  prerendering(() => service, app)

  it('has one pipeline, with the options of registerSvc', async () => {
    const ada = new Visitor(app())
    await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
    expect(await drawing(service.local, ada.user, CHAT)).toBe(CHAT)
    const spans = service.local.spans().filter(({ attributes }) => attributes['user.id'] === ada.user)
    expect(spans.map(({ resource }) => resource.attributes['service.name'])).toEqual(Array(4).fill('next-app'))
  })
})

describe('next start on a host that freezes', () => {
  const app = running(() => service, { env: { VERCEL: '1', SVC_FLUSH_INTERVAL: '600' } })
  prerendering(() => service, app)
})

options(() => service)
ends(() => service)
freezing(() => service)
places(() => service)
