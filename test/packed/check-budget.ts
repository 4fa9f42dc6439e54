import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { BUDGET } from './budget.ts'

/** What the start of a process under the installed `@svc/register` and its installation cost, against the budget. */
export function checkBudget(home: () => string): void {
  describe('the budget of @svc/register:', () => {
    it.each([
      { what: 'an empty program', imports: [], program: '', limits: start },
      {
        what: 'the first request',
        imports: ["{ once } from 'node:events'", "{ createServer, get } from 'node:http'"],
        program: `const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
          await once(server, 'listening')
          const [response] = await once(get({ port: server.address().port, host: '127.0.0.1' }), 'response')
          await once(response.resume(), 'end')
          server.close()`,
        limits: { ...start, ...request },
      },
      {
        what: 'an ES module with express and openai',
        imports: IMPORTS,
        program: '',
        limits: { ...start, ...library },
      },
      {
        what: 'a call of a model',
        imports: IMPORTS,
        // Nothing listens there, nor where its span is sent.
        program: `await new OpenAI({ apiKey: 'k', baseURL: 'http://127.0.0.1:9', maxRetries: 0 }).chat.completions
          .create({ model: 'm', messages: [{ role: 'user', content: 'q' }] }).catch(() => {})`,
        limits: { ...start, ...library, ...request, ...batch, ...line },
      },
    ])('$what loads no more files and bytes than its budget', async ({ imports, program, limits }) => {
      const loaded = await loadedBy(home(), imports, program)
      expect(beyond(loaded, limits)).toEqual([])
      expect(Object.keys(loaded).sort()).toEqual(Object.keys(limits).sort())
    })

    it('an exceeded budget is reported with its files and bytes', () => {
      expect(beyond({ 'preload.js': 11, 'new.js': 5, 'index.js': 1 }, { 'preload.js': 10, 'index.js': 1 })).toEqual([
        'preload.js: 11 bytes, 1 more than the budget has',
        'new.js: 5 bytes, 5 more than the budget has',
      ])
    })

    it('an empty thread loads no more files and bytes than its budget', async () => {
      const loaded = await ownOf(await inThread(home(), ['--import', '@svc/register'], CACHE))
      expect(beyond(loaded, BUDGET.start)).toEqual([])
      expect(Object.keys(loaded).sort()).toEqual(Object.keys(BUDGET.start).sort())
    })

    it.each([
      { what: 'program', inside: inNode, allowed: BUDGET.builtins },
      { what: 'thread', inside: inThread, allowed: BUDGET.threadBuiltins },
    ])('the start of an empty $what loads only the allowed Node modules', async ({ inside, allowed }) => {
      const list = `process.moduleLoadList.filter((name) => /^NativeModule (?!internal)/.test(name)).map((name) => name.slice(13))`
      const bare = new Set(await inside(home(), [], list))
      const loaded = await inside(home(), ['--import', '@svc/register'], list)
      expect(loaded).toContain('async_hooks')
      expect(loaded.filter((name) => !bare.has(name) && !allowed.includes(name))).toEqual([])
    })

    it('every published file runs in strict mode, as the ES modules it is made of', async () => {
      const register = join(home(), 'node_modules/@svc/register')
      const files = (await readdir(register)).filter((file) => file.endsWith('.js'))
      expect(files.length).toBeGreaterThan(20)
      const codes = await Promise.all(files.map((file) => readFile(join(register, file), 'utf8')))
      expect(files.filter((_, index) => !/^['"]use strict['"]/.test(codes[index] ?? ''))).toEqual([])
    })

    it('every published file is ASCII, which V8 reads faster and keeps in half of the memory', async () => {
      const register = join(home(), 'node_modules/@svc/register')
      const files = (await readdir(register)).filter((file) => file.endsWith('.js'))
      const codes = await Promise.all(files.map((file) => readFile(join(register, file), 'latin1')))
      expect(files.filter((_, index) => /[^\0-\x7f]/.test(codes[index] ?? ''))).toEqual([])
    })

    it('npm installs no more packages and bytes for it than the budget', async () => {
      const folders = [...(await neededBy('@svc/register', join(home(), 'node_modules')))]
      const files = await Promise.all(folders.map((path) => readdir(path, { recursive: true, withFileTypes: true })))
      const sizes = await Promise.all(
        files
          .flat()
          .filter((file) => file.isFile())
          .map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size),
      )
      expect(folders.length, folders.join('\n')).toBeLessThanOrEqual(BUDGET.packages)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET.installedBytes)
    })
  })
}

/** Where `express` and `openai` are installed. */
const tests = fileURLToPath(new URL('..', import.meta.url))

const env = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:9' }
// Written past the console, which loads more than all of this.
const write = (what: string) => `process.getBuiltinModule('node:fs').writeSync(1, JSON.stringify(${what}))`

const CACHE = `Object.keys(process.getBuiltinModule('node:module')._cache)`

/** Returns the value of an expression at the start of a process. */
async function inNode(home: string, args: string[], what: string): Promise<string[]> {
  const { code, stdout, stderr } = await runNode([...args, '-e', write(what)], { cwd: home, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Returns the value of an expression at the start of a worker thread. */
async function inThread(home: string, args: string[], what: string): Promise<string[]> {
  const url = `data:text/javascript,${encodeURIComponent(write(what))}`
  const program = `new (require('node:worker_threads').Worker)(new URL(${JSON.stringify(url)}))`
  const { code, stdout, stderr } = await runNode([...args, '-e', program], { cwd: home, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Files of `@svc/register` that a program has loaded by its end, with their bytes. */
async function loadedBy(
  home: string,
  imports: readonly string[],
  program: string,
): Promise<Readonly<Record<string, number>>> {
  const register = join(home, 'node_modules/@svc/register')
  const last = `process.once('exit', () => ${write(CACHE)})`
  const code = `import { createRequire } from 'node:module'
    ${imports.map((each) => `import ${each}`).join('\n')}
    const require = createRequire(import.meta.url)
    ${last}
    ${program}`
  const args = ['--import', join(register, 'index.js'), '--input-type=module', '-e', code]
  const { code: ended, stdout } = await runNode(args, { cwd: tests, env })
  expect(ended).toBe(0)
  return ownOf(JSON.parse(stdout))
}

async function ownOf(files: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const own = files.filter((file) => file.includes(join('@svc', 'register')))
  return Object.fromEntries(
    await Promise.all(own.map(async (file) => [basename(file), (await stat(file)).size] as const)),
  )
}

/** What is loaded beyond a budget: files that are not in it, and files that have grown. */
function beyond(loaded: Readonly<Record<string, number>>, limits: Readonly<Record<string, number>>): string[] {
  return Object.entries(loaded)
    .filter(([file, bytes]) => bytes > (limits[file] ?? 0))
    .map(([file, bytes]) => `${file}: ${bytes} bytes, ${bytes - (limits[file] ?? 0)} more than the budget has`)
}

const { start, library, request, batch, line } = BUDGET
const OPENAI = "OpenAI from 'openai'"
const IMPORTS = ["'express'", OPENAI]

/** The folders of a package and of all that it needs, which npm puts side by side. */
async function neededBy(name: string, modules: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  const folder = join(modules, name)
  if (found.has(folder)) return found
  found.add(folder)
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
  for (const each of [...Object.keys(dependencies), ...peers]) await neededBy(each, modules, found)
  return found
}
