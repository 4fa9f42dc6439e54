import { describe, expect, it } from 'vitest'
import { useBuilt } from './built.ts'
import { CHAT } from './cases/chat.ts'
import { flushing } from './cases/flushing.ts'
import { options } from './cases/options.ts'
import { places } from './cases/places.ts'
import { prerendering } from './cases/prerendering.ts'
import { running } from './cases/running.ts'
import { Visitor } from './cases/visitor.ts'
import { drawing } from './drawn.ts'

// The application of next.test.ts, started in each other way there is.
const FOLDER = '.next/all'
const { service } = useBuilt(FOLDER, { isDeployed: true })
const AT_ONCE = { SVC_FLUSH_INTERVAL: '0.05' }

describe('next start with the preload and no instrumentation.js', () => {
  const app = running(service, { preload: true, env: { TEST_INSTRUMENTATION: 'none', ...AT_ONCE } })
  prerendering(service, app)

  it('observes routes as well', async () => {
    const ada = new Visitor(app())
    await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
    expect(await drawing(service().local, ada.user, CHAT)).toBe(CHAT)
  })
})

describe('next start with both', () => {
  const app = running(service, { preload: true, env: { ...AT_ONCE, OTEL_SERVICE_NAME: 'from-the-environment' } })
  prerendering(service, app)

  it('has one pipeline, with the options of registerSvc', async () => {
    const ada = new Visitor(app())
    await ada.post('/api/chat', JSON.stringify({ prompt: 'Say hi' }))
    const { local } = service()
    expect(await drawing(local, ada.user, CHAT)).toBe(CHAT)
    const spans = local.spans().filter(({ attributes }) => attributes['user.id'] === ada.user)
    expect(spans.map(({ resource }) => resource.attributes['service.name'])).toEqual(Array(4).fill('next-app'))
  })
})

flushing(service)
options(service)
places(service, FOLDER)
