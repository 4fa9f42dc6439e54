import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { Program } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const RUNTIMES = [
  { name: 'Bun', command: ['bun', '--preload'], version: '1.4.5', install: 'node_modules/bun/install.js' },
  {
    name: 'Deno',
    command: ['deno', 'run', '-A', '--preload'],
    version: '2.9.6',
    install: 'node_modules/deno/install.cjs',
  },
] as const

/** A file, for Deno; Bun takes the name of the package, too. */
const PRELOAD = './node_modules/@svc/register/index.js'

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  const dependencies = { bun: RUNTIMES[0].version, deno: RUNTIMES[1].version }
  home = await installPacked({ dependencies }, { only: ['@svc/register', '@svc/tracing'] })
  await cp(fileURLToPath(new URL('runtimes', import.meta.url)), home, { recursive: true })
  // What npm may not run by itself.
  for (const { install } of RUNTIMES) await promisify(execFile)('node', [install], { cwd: home })
}, NPM_TIMEOUT)
afterAll(() => service.close())

describe.each(RUNTIMES)('under the preload, $name', ({ command: [command, ...before] }) => {
  const start = (...args: string[]) =>
    new Program(join(home, 'node_modules/.bin', command), [...before, PRELOAD, ...args], {
      cwd: home,
      env: { ...service.env, SVC_HTTP_ROOT: 'true', SVC_SHUTDOWN_TIMEOUT: '60', NO_COLOR: '1' },
    })

  it.each([
    ['node:http', 'GET /users/:id'],
    ['a server of its own', 'GET /users/:id'],
  ])('serves two requests at once by %s, each with its root and user, and ends at a signal', async (kind, name) => {
    const spansBefore = service.local.spans().length
    const program = start('server.mjs', kind)
    const [, port] = await program.printed(/port (\d+)/)
    const ask = (user: string) => fetch(`http://127.0.0.1:${port}/users/12${user.length}`, { headers: { user } })
    await Promise.all(['ann', 'berta'].map(async (user) => expect(await (await ask(user)).text()).toBe(`for ${user}`)))
    program.kill('SIGTERM')
    const { signal, code, stderr } = await program.ended
    expect({ signal, code, said: /Svc.*/.exec(stderr)?.[0] }).toEqual({ signal: 'SIGTERM', code: null })
    const spans = service.local.spans().slice(spansBefore)
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === null)
    expect(roots.map((root) => [root.name, root.attributes['user.id']]).sort()).toEqual([
      [name, 'ann'],
      [name, 'berta'],
    ])
    for (const root of roots) {
      expect(root.attributes['http.response.status_code']).toBe(200)
      const children = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)
      expect(children.map(({ attributes }) => attributes['svc.observation.input'])).toEqual([
        root.attributes['user.id'],
      ])
    }
    expect(spans).toHaveLength(4)
  })

  it.each([
    ['has nothing more to do', 0],
    ['exits', 3],
  ])('delivers what it holds when it %s', async (way, expected) => {
    const spansBefore = service.local.spans().length
    const { code, stderr } = await start('end.mjs', way).ended
    expect({ code, stderr }).toEqual({ code: expected, stderr: '' })
    expect(service.local.spans().slice(spansBefore)).toMatchObject([{ name: 'held' }])
  })
})
