import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-sightings-'))
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

it('at debug level instrumented and skipped libraries are listed', async () => {
  const { stdout } = await runNode([...PRELOAD, app('chat.mjs')], {
    cwd,
    env: { ...service.env, SVC_LOG_LEVEL: 'DEBUG' },
  })
  const [, unseen = ''] = /instrumented libraries: openai 7\.\d+\.\d+; not seen: (.*)\./.exec(stdout) ?? []
  const names = unseen.split(', ')
  expect(names).toContain('@anthropic-ai/sdk')
  expect(names).toEqual([...new Set(names)])
})

/** A copy of a client whose version may be any. */
const copy = (place: string, version: string) => ({
  [`${place}/ollama/package.json`]: JSON.stringify({ name: 'ollama', version, main: 'dist/index.cjs' }),
  [`${place}/ollama/dist/index.cjs`]: `exports.Ollama = class Ollama {
    chat(host) { return fetch(host, { headers: { 'user-agent': 'ollama-js/${version}' } }) }
  }`,
  [`${place}/ollama/dist/browser.cjs`]: "module.exports = require('./index.cjs')",
})

it('a library in an unsupported version is named with its first call, once for a process and its threads', async () => {
  const client = `require('./node_modules/@langchain/core/dist/runnables/base.cjs')
    const { Ollama } = require('ollama')
    const call = () => new Ollama().chat(process.env.SVC_BASE_URL)`
  write({
    ...copy('node_modules', '9.0.0'),
    'node_modules/@langchain/core/package.json': JSON.stringify({ name: '@langchain/core', version: '9.0.0' }),
    'node_modules/@langchain/core/dist/runnables/base.cjs': '',
    'called.cjs': `${client}\ncall().then(call)`,
    'loaded.cjs': client,
    'threads.cjs': `const { Worker } = require('node:worker_threads')
      const again = (left) => left > 0 && new Worker(require.resolve('./called.cjs')).on('exit', () => again(left - 1))
      again(2)`,
  })
  for (const [name, lines] of Object.entries({ loaded: [], called: LINES, threads: LINES })) {
    const { code, stderr } = await runNode([...PRELOAD, join(folder, `${name}.cjs`)], { cwd, env: service.env })
    expect({ name, code, lines: stderr.match(/(?<=\[WARN\] ).*/g) ?? [] }).toEqual({ name, code: 0, lines })
  }
})

const LINES = [
  'ollama 9.0.0 is not instrumented: supported versions are >=0.5.0 <1.0.0.',
  '@langchain/core 9.0.0 is not instrumented: supported versions are >=0.3.0 <2.0.0.',
]

it('a WebSocket to a model is named, once for each host', async () => {
  write({
    'socket.mjs': `const url = process.env.SVC_BASE_URL.replace('http', 'ws') + '/v1/realtime?model=gpt-realtime'
      const open = () => new Promise((resolve) => new WebSocket(url).addEventListener('error', resolve))
      await open()
      await open()`,
  })
  const { code, stderr } = await runNode([...PRELOAD, join(folder, 'socket.mjs')], { cwd, env: service.env })
  expect(code).toBe(0)
  expect(stderr.match(/(?<=\[WARN\] ).*?(?=\. )/g)).toEqual([
    `${new URL(String(service.env.SVC_BASE_URL)).host}/v1/realtime is asked over a WebSocket, which is not recorded`,
  ])
})

it('each copy of a library is listed, wherever npm and pnpm put it, and of unsupported ones the one that is called', async () => {
  const places = {
    'copies/node_modules': '0.6.1',
    'copies/node_modules/agent/node_modules': '0.5.2',
    'copies/node_modules/.pnpm/ollama@0.6.3/node_modules': '0.6.3',
    'copies/node_modules/old/node_modules': '0.4.9',
    'copies/node_modules/new/node_modules': '9.0.0',
  }
  for (const [place, version] of Object.entries(places)) write(copy(place, version))
  const files = Object.keys(places).flatMap((place) =>
    ['index', 'browser'].map((file) => `${place}/ollama/dist/${file}.cjs`),
  )
  const load = files.map((file) => `require('./${file}')`).join('\n')
  write({ 'copies.cjs': `${load}\nnew (require('./${files[6]}').Ollama)().chat(process.env.SVC_BASE_URL)` })
  const env = { ...service.env, SVC_LOG_LEVEL: 'DEBUG' }
  const { stdout, stderr } = await runNode([...PRELOAD, join(folder, 'copies.cjs')], { cwd, env })
  expect(stdout).toMatch(/instrumented libraries: ollama 0\.6\.1, ollama 0\.5\.2, ollama 0\.6\.3; not seen: .*openai/)
  expect(stderr.match(/ollama \S+ is not instrumented/g)).toEqual(['ollama 0.4.9 is not instrumented'])
})

it('a call of a library in a bundle is recorded by its request, and with one line of code by the library: once', async () => {
  const entry = fileURLToPath(new URL('harness/bundled.mjs', import.meta.url))
  await build({
    logLevel: 'silent',
    build: { ssr: entry, outDir: folder, emptyOutDir: false, minify: true },
    ssr: { noExternal: true },
  })
  const run = (line: string, SVC_EAGER: string) =>
    runNode([...PRELOAD, join(folder, 'bundled.js'), line], { cwd, env: { ...service.env, SVC_EAGER } })
  write({ 'package.json': '{"type":"module"}' })
  for (const [line, eager] of [
    ['without', 'false'],
    ['without', 'true'],
    ['with', 'false'],
  ] as const) {
    const before = service.local.count()
    expect(await run(line, eager)).toMatchObject({ code: 0, stderr: '' })
    expect(service.local.count() - before).toBe(1)
    expect(service.local.observations().at(-1)).toMatchObject({ type: 'GENERATION', name: 'chat gpt-test' })
  }
})
