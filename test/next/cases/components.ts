import { describe, expect, it } from 'vitest'
import type { Service } from '../../support/service.ts'
import type { App } from '../app.ts'
import { drawing, observed } from '../drawn.ts'
import { Visitor } from './visitor.ts'

/** Server components, server actions and Cache Components. */
export function components(service: () => Service, app: () => App): void {
  const visitor = () => new Visitor(app())

  describe('a server component', () => {
    it('has the user set by the proxy, and never mixes concurrent users', async () => {
      const visitors = Array.from({ length: 10 }, visitor)
      const pages = await Promise.all(visitors.map((each) => each.read(`/who?query=${each.user}`)))
      for (const [index, { user, session }] of visitors.entries()) {
        expect(pages[index]?.text).toContain(`<h1>${user}</h1>`)
        const tree = 'documents\n  search'
        expect(await drawing(service().local, user, tree)).toBe(tree)
        expect(await observed(service().local, 'search', user)).toMatchObject({ sessionId: session, input: user })
      }
    })

    it('can set its own user', async () => {
      await visitor().read('/who?query=own&as=said-by-the-page')
      const tree = 'documents\n  search'
      expect(await drawing(service().local, 'said-by-the-page', tree)).toBe(tree)
    })
  })

  describe('a server action', () => {
    it('is an observation with the form data as input', async () => {
      const ada = visitor()
      const response = await ada.submit(0, { question: 'tea', session: 'said' })
      expect(response.status).toBe(200)
      const tree = 'ask\n  answer'
      expect(await drawing(service().local, ada.user, tree)).toBe(tree)
      const action = await observed(service().local, 'ask', ada.user)
      expect(action).toMatchObject({ sessionId: 'said', tags: ['form'], input: { question: 'tea', session: 'said' } })
    })

    it('that redirects is not an error', async () => {
      const ada = visitor()
      const response = await ada.submit(1, {})
      expect([response.status, response.headers.get('location')]).toEqual([303, '/who?query=moved'])
      expect(await drawing(service().local, ada.user, 'leave')).toBe('leave')
    })
  })

  describe("a function with 'use cache'", () => {
    it('creates no observation if it is served from the cache', async () => {
      const [first, second] = [visitor(), visitor()]
      const key = first.user
      const found = (text: string) => /<p>([^<]*)<\/p>/.exec(text)?.[1]
      const miss = await first.read(`/cached?key=${key}`)
      const { local } = service()
      await local.waitFor(() => named('outside', key).length === 1 && named('inside').length > 0)
      const inside = named('inside').length
      const hit = await second.read(`/cached?key=${key}`)
      expect(found(hit.text)).toBe(found(miss.text))
      await local.waitFor(() => named('outside', key).length === 2)
      expect(named('inside')).toHaveLength(inside)

      function named(name: string, output = '') {
        return local.observations((each) => each.name === name && String(each.output).startsWith(output))
      }
    })
  })
}
