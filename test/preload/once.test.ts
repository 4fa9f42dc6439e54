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

  it('and a provider that was registered first is reported in one line with the remedy', async () => {
    const { code, stdout, stderr } = await run(['--import', app('foreign.mjs'), ...PRELOAD, app('chat.mjs')], 'foreign')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/another OpenTelemetry provider \(TracerProvider\)/),
    ])
  })

  it('and a provider that is registered later is reported in one line with the remedy, and no spans are lost', async () => {
    const args = [...PRELOAD, '--import', app('foreign.mjs'), app('chat.mjs')]
    const { code, stdout, stderr } = await run(args, 'foreign and late')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^answer: /) })
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/another OpenTelemetry provider \(TracerProvider\) was registered after svc/),
    ])
    expect(spansOf('foreign and late')).toHaveLength(1)
  })
})
