import { expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import type { App } from '../app.ts'
import { observed } from '../drawn.ts'
import { Visitor } from './visitor.ts'

/** A page that makes spans, under Cache Components, prerendered by the build and by the server. */
export function prerendering(service: () => Service, app: () => App): void {
  it('a page that creates spans is prerendered, at build time and on its first request', async () => {
    const topic = new Visitor(app()).user
    const read = async (path: string) => {
      const response = await fetch(app().url + path)
      const found = /<p>([^<]*)<\/p>/.exec(await response.text())?.[1]
      return [response.status, response.headers.get('x-nextjs-cache'), found]
    }
    expect(await read('/topic/first')).toEqual([200, 'HIT', 'All about first.,found'])
    expect(await read(`/topic/${topic}`)).toEqual([200, 'MISS', `All about ${topic}.,found`])
    // What was rendered is sent, and then kept.
    await expect.poll(() => read(`/topic/${topic}`)).toEqual([200, 'HIT', `All about ${topic}.,found`])
    const { local } = service()
    const look = await local.waitFor(() => local.observations((each) => each.output === `All about ${topic}.`).at(0))
    await local.waitFor(() => {
      const names = local.observations(({ traceId }) => traceId === look.traceId).map(({ name }) => name)
      return ['by hand', 'look', 'read', 'topic'].every((name) => names.includes(name))
    })
    await observed(local, 'by hand')
  })
}
