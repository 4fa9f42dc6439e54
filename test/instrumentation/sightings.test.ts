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

it('an unsupported version of a library is not instrumented, with one line', async () => {
  const source = 'export class Ollama { chat() {} }\nexport const untouched = String(Ollama.prototype.chat)\n'
  write({
    'node_modules/ollama/package.json': JSON.stringify({ name: 'ollama', version: '9.0.0', main: 'dist/index.mjs' }),
    'node_modules/ollama/dist/index.mjs': source,
    'app.mjs': "import { Ollama } from 'ollama'\nconsole.log(String(Ollama.prototype.chat))\n",
  })
  const { stdout, stderr } = await runNode([...PRELOAD, join(folder, 'app.mjs')], { cwd, env: { ...service.env } })
  expect(stdout).toBe('chat() {}\n')
  expect(stderr.match(/ollama 9\.0\.0 is not instrumented: supported versions are .*/g)).toHaveLength(1)
})

it('each copy of a library is listed, wherever npm and pnpm put it, and each unsupported one once', async () => {
  const copy = (place: string, version: string) => ({
    [`${place}/ollama/package.json`]: JSON.stringify({ name: 'ollama', version, main: 'dist/index.cjs' }),
    [`${place}/ollama/dist/index.cjs`]: 'exports.Ollama = class Ollama { chat() {} }\n',
    [`${place}/ollama/dist/browser.cjs`]: "module.exports = require('./index.cjs')\n",
  })
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
  write({ 'copies.cjs': files.map((file) => `require('./${file}')\n`).join('') })
  const env = { ...service.env, SVC_LOG_LEVEL: 'DEBUG' }
  const { stdout, stderr } = await runNode([...PRELOAD, join(folder, 'copies.cjs')], { cwd, env })
  expect(stdout).toMatch(/instrumented libraries: ollama 0\.6\.1, ollama 0\.5\.2, ollama 0\.6\.3; not seen: .*openai/)
  const left = stderr.match(/ollama \S+ is not instrumented/g)
  expect(left).toEqual(['ollama 0.4.9 is not instrumented', 'ollama 9.0.0 is not instrumented'])
})

it('a bundled application is instrumented with one line of code, and without it a warning is logged', async () => {
  const entry = fileURLToPath(new URL('harness/bundled.mjs', import.meta.url))
  await build({
    logLevel: 'silent',
    build: { ssr: entry, outDir: folder, emptyOutDir: false, minify: true },
    ssr: { noExternal: true },
  })
  const run = (line: string) =>
    runNode([...PRELOAD, join(folder, 'bundled.js'), line], { cwd, env: { ...service.env } })
  const before = service.local.count()
  write({ 'package.json': '{"type":"module"}' })
  const { code, stderr } = await run('without')
  expect([code, stderr.match(/WARN/g)]).toEqual([0, ['WARN']])
  expect(stderr).toContain('openai is part of a bundle, so its calls are not recorded.')
  expect(service.local.count()).toBe(before)
  const debug = { cwd, env: { ...service.env, SVC_LOG_LEVEL: 'DEBUG' } }
  expect((await runNode([...PRELOAD, join(folder, 'bundled.js'), 'without'], debug)).stdout).toMatch(
    /instrumented libraries: none;/,
  )
  expect(await run('with')).toMatchObject({ code: 0, stderr: '' })
  expect(service.local.observations().at(-1)).toMatchObject({ type: 'GENERATION', name: 'chat gpt-test' })
})
