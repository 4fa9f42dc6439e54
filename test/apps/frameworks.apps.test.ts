import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { Program, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { FRAMEWORKS, type Framework } from './frameworks.ts'
import { freePort } from './free-port.ts'
import { MODEL } from './model.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The requests of two users, with their responses. */
const REQUESTS = [
  ['ask', 200],
  ['stream', 200],
  ['fail', 500],
] as const
const USERS = ['ann', 'bob']

describe.each(FRAMEWORKS)('the built server of $name', (framework) => {
  it(
    'has one root for each request of two users at once, named by its route, says nothing, and ends at a signal',
    async () => {
      const home = await built(framework)
      const before = service.local.spans().length
      const port = await freePort()
      const NODE_OPTIONS = `--import ${pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))}`
      const env = {
        ...service.env,
        PORT: port,
        HOST: '127.0.0.1',
        NITRO_HOST: '127.0.0.1',
        NODE_OPTIONS,
        NO_COLOR: '1',
      }
      const server = startNode(framework.serve, { cwd: home, env, asBuilt: true })
      await server.printed(/http:\/\//)
      const asked = USERS.flatMap((user) =>
        REQUESTS.map(async ([what, status]) => {
          const path = `${framework.base ?? ''}/users/${user}/${what}`
          const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { user } })
          await response.text()
          expect([path, response.status]).toEqual([path, status])
        }),
      )
      await Promise.all(asked)
      server.kill('SIGTERM')
      expect((await server.ended).stderr).not.toContain('[Svc SDK]')
      const spans = service.local.spans().slice(before)
      const roots = spans.filter(({ parentSpanId }) => parentSpanId === null)
      const seen = roots.map(({ name, attributes }) => [
        name,
        attributes['user.id'],
        attributes['svc.observation.input'],
        attributes['http.response.status_code'],
      ])
      const wanted = USERS.flatMap((user) =>
        REQUESTS.map(([what, status]) => [`GET ${framework.route}/${what}`, user, user, status]),
      )
      expect(seen.sort()).toEqual(wanted.sort())
      // Each with the one call of its user.
      const calls = spans.filter(({ parentSpanId }) => parentSpanId !== null)
      expect(calls).toHaveLength(roots.length)
      for (const { parentSpanId, attributes } of calls) {
        const root = roots.find(({ spanId }) => spanId === parentSpanId)
        expect(attributes['user.id']).toBe(root?.attributes['user.id'])
      }
    },
    NPM_TIMEOUT,
  )
})

async function built({ dependencies, files, build }: Framework): Promise<string> {
  const manifest = {
    type: 'module',
    dependencies: { openai: '7.55.0', '@opentelemetry/api': '1.10.0', ...dependencies },
  }
  const args = ['--legacy-peer-deps']
  const home = await installPacked(manifest, { only: ['@svc/register', '@svc/tracing'], args })
  for (const [name, text] of Object.entries({ ...files, 'model.mjs': MODEL })) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), text)
  }
  const env = { CI: 'true', NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' }
  const { code, stdout, stderr } = await new Program(process.execPath, build, { cwd: home, env }).ended
  expect(code, stdout + stderr).toBe(0)
  return home
}
