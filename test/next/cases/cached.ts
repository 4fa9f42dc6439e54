import { expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import type { App } from '../app.ts'
import { drawing, observed } from '../drawn.ts'
import { Visitor } from './visitor.ts'

/** What Next makes for its cache belongs to no visitor: it is in a trace of its own. */
export function cached(service: () => Service, app: () => App): void {
  const traceOf = (traceId: string) => service().local.observations((each) => each.traceId === traceId)

  it('a function with `use cache` and one of unstable_cache are not in the trace of who called them first', async () => {
    const ada = new Visitor(app())
    expect(await ada.post('/api/held', `Say hi to ${ada.user}`)).toMatchObject({ status: 200 })
    const visit = 'held\n  around'
    expect(await drawing(service().local, ada.user, visit)).toBe(visit)
    const { local } = service()
    const isTheirs = (text = '') => text.includes(`Say hi to ${ada.user}`)
    const asked = () =>
      local.observations(({ type, input }) => type === 'GENERATION' && isTheirs(JSON.stringify(input)))
    await local.waitFor(() => asked().length === 2)
    const [first] = asked()
    const made = await local.waitFor(() => {
      const all = traceOf(first?.traceId ?? '')
      return ['inside', 'kept'].every((name) => all.some((each) => each.name === name)) ? all : undefined
    })
    expect(made.map(({ userId, sessionId }) => userId ?? sessionId)).toEqual(made.map(() => null))
    const root = await observed(local, 'held', ada.user)
    expect(traceOf(root.traceId).filter(({ parentId }) => parentId === null)).toEqual([root])
  })

  it('a page that a visit renders for the cache is not theirs', async () => {
    const ada = new Visitor(app())
    const topic = `not-${ada.user}`
    expect((await ada.read(`/topic/${topic}`)).status).toBe(200)
    const look = await service().local.waitFor(
      (local) => local.observations((each) => each.output === `All about ${topic}.`)[0],
    )
    expect([look.userId, look.sessionId]).toEqual([null, null])
    expect(service().local.observations(({ userId }) => userId === ada.user)).toEqual([])
  })
}
