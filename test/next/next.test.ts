import { describe, expect, it } from 'vitest'
import { useBuilt } from './built.ts'
import { cached } from './cases/cached.ts'
import { components } from './cases/components.ts'
import { freezing } from './cases/freezing.ts'
import { longLived } from './cases/long-lived.ts'
import { names } from './cases/names.ts'
import { prerendering } from './cases/prerendering.ts'
import { routes } from './cases/routes.ts'
import { running } from './cases/running.ts'
import { trust } from './cases/trust.ts'
import { Visitor } from './cases/visitor.ts'
import { observed, ofNext, orphans } from './drawn.ts'

// One application, built with Turbopack and Cache Components. next.all.test.ts starts it in each other way there is.
const { service, ended } = useBuilt('.next/one')

describe('next build under the preload', () => {
  it('succeeds with pages that create spans while they are prerendered, and sends nothing', () => {
    const { code, stdout, stderr } = ended()
    expect({ code, stderr: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, stderr: '' })
    expect(service().local.requests()).toEqual([])
    expect(stdout + stderr).not.toContain('[Svc SDK]')
    expect(stdout).toMatch(/○ .*\/api\/public/)
  })
})

describe('next start with instrumentation.js', () => {
  const env = { SVC_FLUSH_INTERVAL: '0.05', SVC_REDACT: 'email' }
  const app = running(service, { isForged: true, env }, /the resolver of user failed/)
  routes(service, app)
  trust(service, app)
  components(service, app)
  prerendering(service, app)
  cached(service, app)
  names(service, app)

  // Turbopack makes a chunk of its own of what finds addresses.
  it('hides personal data of an edge function', async () => {
    const visitor = new Visitor(app())
    expect((await visitor.read(`/api/edge?user=${visitor.user}`)).text).toBe('Write to ada@example.com')
    const root = await observed(service().local, 'on the edge', visitor.user)
    expect(root.output).toMatch(/^Write to \[email:[\da-f]{4}\]$/)
  })

  it('records an unobserved error in the trace of its page', async () => {
    await new Visitor(app()).read('/broken')
    const error = await observed(service().local, 'GET /broken')
    expect(error).toMatchObject({ type: 'EVENT', level: 'ERROR', statusMessage: 'the page broke' })
    expect(error.metadata).toMatchObject({ routePath: '/broken', routeType: 'render' })
  })

  it("sends none of Next's own spans, and leaves no gap in a trace", async () => {
    await service().local.waitFor(() => orphans(service().local).length === 0)
    expect(ofNext(service().local)).toEqual([])
  })
})

longLived(service)
freezing(service)
