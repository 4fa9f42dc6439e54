import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createApi } from '@svc/client/api'
import { startLocal } from '@svc/local'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeApp } from '../../packages/cli/test/support/fixture.ts'
import { fill } from '../../packages/local/test/support/many-traces.ts'
import { runNode, startNode } from '../support/run.ts'
import { makeProject } from './support/prompt-folder.ts'
import { runSvc } from './support/svc.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const LOADED = fileURLToPath(new URL('./loaded.mjs', import.meta.url))

const KEYS = { SVC_PUBLIC_KEY: 'pk-svc-1234', SVC_SECRET_KEY: 'sk-svc-12345678', SVC_BASE_URL: 'http://127.0.0.1:1' }

describe('svc', () => {
  it('lists its commands, and loads none of them for that, nor much else', async () => {
    const { code, stdout, stderr } = await runNode(['--import', LOADED, SVC, '--help'])
    expect(code).toBe(0)
    const loaded = [...stderr.matchAll(/\/packages\/(\S+)/g)].map(([, path]) => path)
    expect(loaded.sort()).toEqual([
      'cli/bin/svc.js',
      'cli/dist/commands.js',
      'cli/dist/main.js',
      'core/dist/version.js',
      'local/dist/questions/parameters.js',
    ])
    expect(stdout).toMatch(/^ {2}doctor .*\n/m)
    expect(stdout).toMatch(/^ {2}local .*\n/m)
    const files = [...stderr.matchAll(/^file:\S+/gm)].map(([url]) => statSync(fileURLToPath(url)).size)
    expect(files.length).toBeGreaterThan(4)
    expect(files.length).toBeLessThan(16)
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
  })

  it('loads of the client only the API for `svc prompts pull`', async () => {
    const { cwd, local } = await makeProject()
    const { stderr } = await runNode(['--import', LOADED, SVC, 'prompts', 'pull'], { cwd, env: local.env })
    expect(stderr).toContain('this project has no prompts')
    const folders = [...stderr.matchAll(/\/packages\/(client|tracing)\/dist\/([\w-]+\/)?/g)]
    expect(new Set(folders.map(([, home, folder = '']) => `${home}/${folder}`))).toEqual(
      new Set(['client/', 'client/api/']),
    )
  })

  it('asks a running svc local without loading one', async () => {
    const local = await startLocal()
    onTestFinished(() => local.close())
    const { stdout, stderr } = await runNode(['--import', LOADED, SVC, 'traces', 'list', '--local', local.url])
    expect(stdout).toMatch(/^## No trace fits/)
    expect(stderr).toContain('/local/dist/address.js')
    expect(stderr).not.toContain('/local/dist/local.js')
  })

  it('reads the file of svc local without starting one, and without the client', async () => {
    const { cwd } = await makeProject()
    await (await startLocal({ db: join(cwd, 'svc.db') })).close()
    const { stdout, stderr } = await runNode(['--import', LOADED, SVC, 'traces', 'list', '--db', 'svc.db'], { cwd })
    expect(stdout).toMatch(/^## No trace fits/)
    expect(stderr).toContain('/local/dist/file-reader.js')
    expect(stderr).not.toMatch(/\/local\/dist\/local\.js|\/client\/dist\//)
  })

  it('has the version of all packages', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8'))
    expect((await runSvc(['--version'])).stdout).toBe(`${version}\n`)
  })

  it('is a process that exits with 2 for a command that is not there', async () => {
    const { code, stdout, stderr } = await runNode([SVC, 'docter'])
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining("unknown command 'docter'"),
    })
  })

  it.each([
    [['doctor', '--jsn'], "unknown option '--jsn'"],
    [['local', '--nothing'], 'See svc local --help.'],
    [[], 'Usage: svc'],
  ])('exits with 2 for the arguments %j', async (args, line) => {
    const { code, stdout, stderr } = await runSvc(args)
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(line) })
  })
})

describe('the output of svc', () => {
  /** Runs `svc doctor --offline`, whose exit code is 0. */
  const doctor = (stdout: number | 'pipe') =>
    spawn(process.execPath, [SVC, 'doctor', '--offline'], {
      cwd: makeApp({}),
      env: { ...process.env, ...KEYS },
      stdio: ['ignore', stdout, 'pipe'],
    })

  it('may lose its reader, as in `svc doctor | head -1`: no error, and the same exit code', async () => {
    const child = doctor('pipe')
    child.stdout?.destroy()
    const [stderr, [code]] = await Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'close')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('that cannot be written is an error of one line', async () => {
    const unwritable = openSync(SVC, 'r')
    onTestFinished(() => closeSync(unwritable))
    const child = doctor(unwritable)
    const [stderr, [code]] = await Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'close')])
    expect(stderr).toMatch(/^svc: the output cannot be written: EBADF: .*\n$/)
    expect(code).toBe(1)
  })
})

describe('svc local', () => {
  it('starts the service and closes it at Ctrl-C', async () => {
    const program = startNode([SVC, 'local', '--port', '0', '--public-key', 'pk-mine'])
    const [, url] = await program.printed(/SVC_BASE_URL=(\S+)/)
    expect((await fetch(`${url}/api/public/health`)).status).toBe(200)
    program.kill('SIGINT')
    expect(await program.ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('pk-mine') })
  })

  it('has a thread for reads that loads nothing of what writes', async () => {
    const { cwd } = await makeProject()
    const db = join(cwd, 'svc.db')
    const first = await startLocal({ db })
    await fill(first, 300)
    await first.close()
    const program = startNode(['--import', LOADED, SVC, 'local', '--port', '0', '--db', db])
    const [, baseUrl] = await program.printed(/SVC_BASE_URL=(\S+)/)
    const { publicKey, secretKey } = first
    await createApi({ baseUrl, publicKey, secretKey }).observations.getMany({ limit: 1 })
    program.kill('SIGINT')
    const { stderr } = await program.ended
    const timesLoaded = (name: string) => stderr.match(new RegExp(`/threads/${name}\\.js$`, 'gm'))?.length
    expect([timesLoaded('reads'), timesLoaded('writes')]).toEqual([2, 1])
  })

  it('has the flags of svc-local, under its own name', async () => {
    const { stdout } = await runSvc(['local', '--help'])
    expect(stdout).toMatch(/^Usage: svc local \[flags\]\n/)
  })
})

it('svc prompts is a process that ends by itself, whether it fails or not', async () => {
  const project = await makeProject()
  await project.prompt.create({ name: 'a', prompt: 'A', labels: ['production'] })
  const run = async (...args: string[]) => (await project.node([SVC, 'prompts', ...args])).code
  expect([await run('pull'), await run('push', 'b')]).toEqual([0, 1])
})

describe('svc doctor', () => {
  it('exits with 0 after a successful test trace', async () => {
    const local = await startLocal()
    onTestFinished(() => local.close())
    const { code, stdout, stderr } = await runNode([SVC, 'doctor'], { cwd: makeApp({}), env: local.env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/No errors found\.\n$/)
    expect(local.traces()).toMatchObject([{ name: 'svc doctor' }])
  })

  it('exits with 1 for an error, with the remedy, without colours', async () => {
    const { code, stdout } = await runSvc(['doctor'], { cwd: makeApp({}), env: KEYS })
    expect(code).toBe(1)
    expect(stdout).toContain('  ERROR 127.0.0.1:1 cannot be reached')
    expect(stdout).toContain('→ Check the port in SVC_BASE_URL.')
    expect(stdout).not.toContain('\u001b')
  })

  it('--json prints the report as one object', async () => {
    const { code, stdout } = await runSvc(['doctor', '--json'], { cwd: makeApp({}), env: KEYS })
    expect(code).toBe(1)
    const { ok, findings } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(findings).toContainEqual({
      section: 'Service',
      id: 'service-connection',
      severity: 'error',
      seen: expect.stringContaining('ECONNREFUSED'),
      means: expect.any(String),
      remedy: expect.any(String),
    })
  })

  it('--offline sends nothing', async () => {
    const { code, stdout } = await runSvc(['doctor', '--offline'], { cwd: makeApp({}), env: KEYS })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('127.0.0.1:1 cannot') })
  })
})
