import { expect, it, onTestFinished } from 'vitest'
import { THIS_NODE } from '../support/nodes.ts'
import { startService } from '../support/service.ts'
import { launch } from './support/column.ts'

it('a request that is in progress at shutdown arrives, marked as unfinished', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  // The handler never ends.
  const env = { ...service.env, SVC_FLUSH_INTERVAL: '60', PARTIES: '2' }
  const app = launch({ nest: 12, adapter: 'express', node: THIS_NODE, preload: true }, 'unclaimed.js', env)
  const [, printed = ''] = await app.printed(/listening (.*)/)
  const gone = fetch(`http://127.0.0.1:${JSON.parse(printed).http}/places/waiting`).catch(() => 'gone')
  await app.printed(/waiting/)
  app.kill('SIGTERM')
  expect(await app.ended).toMatchObject({ code: null, signal: 'SIGTERM', stderr: '' })
  expect(await gone).toBe('gone')
  expect(service.local.observations(({ isRoot }) => isRoot)).toMatchObject([
    { name: 'PlacesController.waiting', statusMessage: 'the process ended before the result came' },
  ])
})
