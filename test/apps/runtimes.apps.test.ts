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
  const start = (...args: string[]) => run([...before, PRELOAD, ...args])
  const run = (args: readonly string[]) =>
    new Program(join(home, 'node_modules/.bin', command), args, {
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

  it('records the requests of fetch to models, whose answers are those without it', async () => {
    const count = service.local.count()
    const args = ['ask.mjs', service.models.url]
    // Without the flag that loads the preload.
    const bare = await run([...before.slice(0, -1), ...args]).ended
    expect(service.local.count()).toBe(count)
    expect(await start(...args).ended).toEqual(bare)
    const calls = service.local.observations().slice(count)
    expect(
      calls.map(({ type, name, level, output, usage }) => [type, name, level, output !== null, usage.total]),
    ).toEqual([
      ['GENERATION', 'chat whole', 'DEFAULT', true, 28],
      ['GENERATION', 'chat of a request', 'DEFAULT', true, 28],
      ['GENERATION', 'chat streamed', 'DEFAULT', true, 28],
      ['GENERATION', 'chat error-429', 'ERROR', false, undefined],
      ['GENERATION', 'chat slow', 'WARNING', true, undefined],
      // Bun may lose what came last before the connection broke.
      ['GENERATION', 'chat cut', 'ERROR', expect.any(Boolean), undefined],
      ['GENERATION', 'chat stall', 'WARNING', true, undefined],
    ])
  })

  it.each(['node:http', 'a server of its own'])('counts once what it asks its own route by %s', async (kind) => {
    const count = service.local.count()
    const { stdout, stderr, code } = await start('own-route.mjs', service.models.url, kind).ended
    expect({ stdout: stdout.match(/You asked/g)?.length, stderr, code }).toEqual({ stdout: 2, stderr: '', code: 0 })
    const names = service.local
      .observations()
      .slice(count)
      .map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('chat '))).toEqual(['chat first', 'chat second'])
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
