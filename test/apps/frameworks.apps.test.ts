import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { Program, startNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { askedOf, FRAMEWORKS, type Framework, type What } from './frameworks.ts'
import { freePort } from './free-port.ts'
import { MODEL } from './model.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const KINDS: readonly What[] = ['ask', 'stream', 'fail']
const USERS = ['ann', 'bob']

describe.each(FRAMEWORKS)('the server of $name', (framework) => {
  it(
    'answers as without us, has one root for each request of two users at once, named by its route, says nothing, and ends at a signal',
    async () => {
      const home = await built(framework)
      const before = service.local.spans().length
      const bare = await served(home, framework)
      expect(service.local.spans()).toHaveLength(before)
      const NODE_OPTIONS = `--import ${pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))}`
      expect(await served(home, framework, { NODE_OPTIONS })).toEqual(bare)

      const spans = service.local.spans().slice(before)
      const roots = spans.filter(({ parentSpanId }) => parentSpanId === null)
      const seen = roots.map(({ name, attributes }) => [
        name,
        attributes['user.id'],
        attributes['svc.observation.input'],
        attributes['http.response.status_code'],
      ])
      const wanted = USERS.flatMap((user) =>
        KINDS.map((what) => {
          const { root, status } = askedOf(framework, user, what)
          return [root, user, user, status]
        }),
      )
      expect(seen.sort()).toEqual(wanted.sort())
      // Each with the one call of its user.
      const calls = spans.filter(({ parentSpanId }) => parentSpanId !== null)
      expect(calls.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(roots.map(({ spanId }) => spanId).sort())
      for (const { parentSpanId, attributes } of calls) {
        const root = roots.find(({ spanId }) => spanId === parentSpanId)
        expect(attributes['user.id']).toBe(root?.attributes['user.id'])
      }
    },
    NPM_TIMEOUT,
  )
})

/** The answers of a server to each request of each user, all at once. It ends at a signal. */
async function served(home: string, framework: Framework, more: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const own = { PORT: port, HOST: '127.0.0.1', NITRO_HOST: '127.0.0.1', NODE_ENV: 'production', NO_COLOR: '1' }
  const server = startNode(framework.serve, { cwd: home, env: { ...service.env, ...own, ...more }, asBuilt: true })
  await server.printed(/http:\/\//)
  const answers = await Promise.all(
    USERS.flatMap((user) =>
      KINDS.map(async (what) => {
        const { path, init, status } = askedOf(framework, user, what)
        const asked = { ...init, headers: { ...init?.headers, user } }
        const response = await fetch(`http://127.0.0.1:${port}${path}`, asked)
        expect([path, response.status]).toEqual([path, status])
        const text = (await response.text()).replaceAll(port, 'the port')
        return [user, what, response.headers.get('content-type'), text]
      }),
    ),
  )
  server.kill('SIGTERM')
  const { code, signal, stderr } = await server.ended
  expect(stderr).not.toContain('[Svc SDK]')
  return { answers, code, signal }
}

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
  if (!build) return home
  const { code, stdout, stderr } = await new Program(process.execPath, build, { cwd: home, env }).ended
  expect(code, stdout + stderr).toBe(0)
  return home
}
