import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { get } from './support/ask.ts'
import { type Column, launch, unexpected } from './support/column.ts'
import { drawings } from './support/drawn.ts'
import { tree } from './support/tree.ts'

const column: Column = { nest: 12, adapter: 'express', node: '24.21.0', preload: true }
const caller = { user: 'ada', session: 'last-words' }

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

/** One request, then the signal. Spans would wait for a minute. */
async function askAndEnd(entry: string, preload: boolean, env: Record<string, string>) {
  const app = launch({ ...column, preload }, entry, { SVC_FLUSH_INTERVAL: '60', ...env })
  const [, printed = ''] = await app.printed(/listening (.*)/)
  await get('/places/guards')({ url: `http://127.0.0.1:${JSON.parse(printed).http}` }, caller)
  app.kill('SIGTERM')
  const { code, signal, stdout, stderr } = await app.ended
  const own = stdout.replaceAll(/^(?:listening |.*svc was not preloaded).*\n/gm, '')
  return { end: { code, signal, stdout: own }, stdout, stderr }
}

describe.each([
  { hooks: 'with', env: { HOOKS: 'true' } },
  { hooks: 'without', env: { HOOKS: 'false' } },
])('SIGTERM, $hooks enableShutdownHooks', ({ env }) => {
  let bare: Awaited<ReturnType<typeof askAndEnd>>
  beforeAll(async () => {
    const nowhere = await startService()
    bare = await askAndEnd('bare.js', false, { ...nowhere.env, ...env })
    expect(nowhere.local.count()).toBe(0)
    await nowhere.close()
  })

  it.each([
    { how: 'with', preload: true },
    { how: 'without', preload: false },
  ])('ends the process as without svc, and all spans arrive ($how the preload)', async ({ preload }) => {
    const { end, stdout, stderr } = await askAndEnd('plain.js', preload, { ...service.env, ...env })
    expect(end).toEqual(bare.end)
    expect(unexpected({ stdout, stderr }, { preload })).toBe('')
    expect(drawings(service.local)(caller)).toEqual([
      tree('PlacesController.guards', 'lookup', tree('guard', 'verify'), 'roles', 'handler'),
    ])
  })
})
