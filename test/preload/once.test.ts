import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const run = (args: readonly string[], release: string) =>
  runNode(args, { cwd, env: { ...service.env, SVC_RELEASE: release } })
const spansOf = (release: string) => service.local.spans().filter((span) => span.attributes['svc.release'] === release)

describe('a process has one pipeline', () => {
  it('however often the preload is loaded', async () => {
    await run(['--require', '@svc/register', ...PRELOAD, ...PRELOAD, app('chat.mjs')], 'thrice')
    expect(spansOf('thrice')).toHaveLength(1)
  })

  it('and a second start adds its options', async () => {
    const { stdout } = await run([...PRELOAD, app('attach.mjs')], 'attached')
    expect(stdout).toMatch(/owner: @svc\/register/)
    expect(spansOf('attached').map((span) => span.attributes['svc.environment'])).toEqual(['attached'])
  })

  it('which the application can start', async () => {
    const { stdout } = await run([app('attach.mjs')], 'started late')
    expect(stdout).toMatch(/owner: the application/)
  })

  it.each([
    ['first', ['--import', app('foreign.mjs'), ...PRELOAD]],
    ['later', [...PRELOAD, '--import', app('foreign.mjs')]],
  ])('beside a provider of the application that was registered %s', async (when, flags) => {
    const { code, stdout, stderr } = await run([...flags, app('chat.mjs')], `foreign, ${when}`)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /), stderr: '' })
    expect(spansOf(`foreign, ${when}`)).toHaveLength(1)
  })
})
