import { expect, it } from 'vitest'
import { get } from './support/ask.ts'
import { startApp } from './support/column.ts'

it.each(['express', 'fastify'] as const)(
  'with SVC_HTTP_ROOT the root of a request has its user and session, on %s',
  async (adapter) => {
    const column = { nest: 12, adapter, node: '24.21.0', preload: true } as const
    const app = await startApp(column, { entry: 'plain.js', env: { SVC_HTTP_ROOT: 'true' } })
    try {
      await get('/places/guards')(app, { user: 'ada', session: 's-7' })
      const root = await app.service.local.waitFor((local) => local.observations(({ isRoot }) => isRoot)[0])
      expect(root).toMatchObject({
        name: expect.stringMatching(/^GET .places.guards/),
        userId: 'ada',
        sessionId: 's-7',
      })
    } finally {
      await app.close()
    }
  },
)
