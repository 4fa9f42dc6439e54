import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { installPacked, NPM_TIMEOUT } from './pack.ts'

const apps = fileURLToPath(new URL('api', import.meta.url))
const VERSIONS = ['1.9.1', '1.10.0', '1.11.0'] as const

let service: Service
let home: string
beforeAll(async () => {
  service = await startService()
  // The last one does not exist yet.
  const copies = Object.fromEntries(
    VERSIONS.slice(0, 2).map((each) => [`api-${each}`, `npm:@opentelemetry/api@${each}`]),
  )
  home = await installPacked({ dependencies: copies }, { only: ['@svc/register'] })
}, NPM_TIMEOUT)
afterAll(() => service.close())

/** Copies the API in one version to where a package has it. */
async function putApi(version: (typeof VERSIONS)[number], folder: string): Promise<void> {
  const target = join(folder, 'node_modules/@opentelemetry/api')
  const isThere = version !== '1.11.0'
  await cp(join(home, `node_modules/api-${isThere ? version : '1.10.0'}`), target, { recursive: true })
  if (isThere) return
  for (const file of await readdir(target, { recursive: true })) {
    if (!/(?:package\.json|[/\\](?:version|global-utils)\.[cm]js)$/.test(`/${file}`)) continue
    const text = await readFile(join(target, file), 'utf8')
    await writeFile(join(target, file), text.replaceAll('1.10.0', version))
  }
}

let count = 0

/** An application of its own, with the API in one version, or without. */
async function applicationWith(version?: (typeof VERSIONS)[number]): Promise<string> {
  const folder = join(home, `app-${++count}`)
  await cp(apps, folder, { recursive: true })
  if (version) await putApi(version, folder)
  return folder
}

/** What the program wrote, and the spans that arrived, each below its parent. */
async function run(folder: string, ...args: string[]): Promise<{ output: string; spans: string[] }> {
  const release = folder + args.join()
  const { stdout, stderr } = await runNode(args, { cwd: folder, env: { ...service.env, SVC_RELEASE: release } })
  const spans = service.local.spans().filter((span) => span.attributes['svc.release'] === release)
  const parentOf = (id: string | null | undefined) => spans.find(({ spanId }) => spanId === id)?.name
  return {
    output: stdout + stderr,
    spans: spans.map(({ name, parentSpanId }) => [parentOf(parentSpanId), name].filter(Boolean).join(' > ')).sort(),
  }
}

const OURS = ['--import', '@svc/register']
const TREE = ['outer', 'outer > inner']

describe.each(VERSIONS)('an application with @opentelemetry/api %s', (version) => {
  let folder: string
  beforeAll(async () => {
    folder = await applicationWith(version)
  })

  it.each(['app.mjs', 'app.cjs'])('is traced as %s, and keeps its own meter provider', async (app) => {
    expect(await run(folder, ...OURS, app)).toEqual({ output: 'own meters\n', spans: TREE })
  })

  it.each([
    ['--import', './earlier.mjs'],
    ['--require', './earlier.cjs'],
  ])('is traced although %s %s got a tracer and a meter provider before', async (...earlier) => {
    expect(await run(folder, ...earlier, ...OURS, 'with-earlier.mjs')).toEqual({ output: '', spans: TREE })
  })
})

it.each(VERSIONS)('with instrument: false, @opentelemetry/api %s sees our provider', async (version) => {
  const started = ['--import', './without-libraries.mjs', 'app.mjs']
  expect(await run(await applicationWith(version), ...started)).toEqual({ output: 'own meters\n', spans: TREE })
})

it('an application without @opentelemetry/api is traced', async () => {
  expect(await run(await applicationWith(), ...OURS, 'none.mjs')).toEqual({ output: '', spans: ['outer'] })
})

it.each([
  ['1.9.1', '1.10.0'],
  ['1.10.0', '1.9.1'],
  ['1.9.1', '1.11.0'],
] as const)('an application with @opentelemetry/api %s and a library with %s share traces', async (own, nested) => {
  const folder = await applicationWith(own)
  const library = join(folder, 'node_modules/library')
  await mkdir(library, { recursive: true })
  await writeFile(join(library, 'package.json'), '{ "name": "library", "main": "index.js" }')
  await writeFile(join(library, 'index.js'), "exports.trace = require('@opentelemetry/api').trace\n")
  await putApi(nested, library)
  expect(await run(folder, ...OURS, 'nested.mjs', 'library')).toEqual({ output: '', spans: TREE })
})
