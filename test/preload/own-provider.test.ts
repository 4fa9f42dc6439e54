import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { app, cwd, PRELOAD } from './apps.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const run = (flags: readonly string[], release: string) =>
  runNode([...flags, app('own-provider.mjs')], { cwd, env: { ...service.env, SVC_RELEASE: release } })

const SET_UP = ['--import', app('own-set-up.mjs')]
const EARLY = ['--import', app('own-early.mjs')]

describe('an application with an OpenTelemetry of its own', () => {
  it.each([
    ['after the preload', [] as string[], PRELOAD],
    ['before it', SET_UP, [...SET_UP, ...PRELOAD]],
    ['after a call', EARLY, [...PRELOAD, ...EARLY]],
  ])(
    'registered %s, has of it what it has without us, and its spans about models are in one trace with ours',
    async (release, without, flags) => {
      const bare = await run(without, 'bare')
      const { code, stdout, stderr } = await run(flags, release)
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: bare.stdout, stderr: '' })
      expect(bare.stdout).toContain('registered: [true,true,true,true,true]')
      const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
      const parentOf = (id: string | null | undefined) => spans.find(({ spanId }) => spanId === id)?.name
      // agent
      // └─ chat gpt-test
      // chat gpt-test
      // GET /
      // ├─ chat gpt-test     inside of a span that is not about models
      // └─ chat gpt-test
      const early = without === EARLY ? ['chat gpt-test in undefined'] : []
      expect(spans.map(({ name, parentSpanId }) => `${name} in ${parentOf(parentSpanId)}`).sort()).toEqual([
        'GET / in undefined',
        'agent in undefined',
        'chat gpt-test in GET /',
        'chat gpt-test in GET /',
        'chat gpt-test in agent',
        'chat gpt-test in undefined',
        ...early,
      ])
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(3 + early.length)
    },
  )
})
