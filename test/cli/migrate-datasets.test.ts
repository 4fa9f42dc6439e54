import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HOST, useProxy } from '../support/network.ts'
import { startNode } from '../support/run.ts'
import { type SourceOptions, type SourcePlatform, startSource } from '../support/source-platform.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))

const examples = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    id: `r${at}`,
    question: `q${at}`,
    answer: `a${at}`,
    topic: 'x',
    ...more,
  }))

let local: LocalService
let source: SourcePlatform
let cwd: string
beforeEach(async () => {
  local = await startLocal()
  cwd = mkdtempSync(join(tmpdir(), 'svc-datasets-'))
})
afterEach(async () => {
  await source?.close()
  await local.close()
  rmSync(cwd, { recursive: true })
})

const from = async (options: SourceOptions | SourceOptions['datasets']) => {
  source = await startSource('datasets' in options ? (options as SourceOptions) : { datasets: options })
}

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly node?: readonly string[]
  readonly url?: string
}

function start(args: readonly string[], { env, node = [], url }: Given = {}) {
  const variables = { ...local.env, SOURCE_API_KEY: source.key, ...env }
  return startNode([...node, SVC, 'migrate', 'datasets', '--from', url ?? source.url, ...args], { cwd, env: variables })
}

async function run(args: readonly string[], given?: Given) {
  const { code, stdout, stderr } = await start(args, given).ended
  return { code, stdout, stderr: stderr.replaceAll(source.url.slice('http://'.length), '<source>') }
}

/** Items of a dataset of the service, in their order. */
async function items(dataset: string) {
  const all: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await call(`/dataset-items?datasetName=${dataset}&limit=100&page=${page}`)
    all.push(...data)
    if (page >= meta.totalPages) return all
  }
}

async function call(path: string) {
  const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
  return (await (await fetch(`${local.url}/api/public${path}`, { headers: { authorization } })).json()) as {
    data: Record<string, unknown>[]
    meta: { totalPages: number; totalItems: number }
  }
}

/** Ids of the items that were sent, in their order. */
const sent = () =>
  local
    .calls()
    .filter(({ method, path }) => method === 'POST' && path === '/api/public/dataset-items')
    .map(({ body }) => (body as { id: string }).id)

/** Everything that was written, whatever it was. */
const writes = () => local.calls().filter(({ method }) => method !== 'GET')

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
const POST_ITEM = 'POST /api/public/dataset-items'

describe('an import', () => {
  it('brings each example with its id, mapped as documented, page by page', async () => {
    const rows = examples(703, { created_at: '2026-01-01' })
    await from({ 'd/1': rows })
    const { code, stdout } = await run(['--dataset', 'd/1', '--as', 'capitals'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `capitals: 703 rows, 703 items.
Not moved:
  earlier versions of a dataset: the latest is copied
  created and updated times (703 rows): the service sets its own
  experiments and their scores: run them again over the dataset
`,
    })
    const found = await items('capitals')
    expect(ids(found as { id: string }[])).toEqual(ids(rows))
    const first = { input: 'q0', expectedOutput: 'a0', metadata: { topic: 'x' } }
    expect(found.find(({ id }) => id === 'r0')).toMatchObject(first)
    // Once to see that all of it can be read, once to write it.
    const pages = ['limit=500', 'limit=500&cursor=c500']
    const paths = pages.map((query) => `/v2/datasets/d%2F1/examples?${query}`)
    expect(source.requests().map(({ path }) => path)).toEqual([...paths, ...paths])
    for (const { headers } of source.requests())
      expect(headers).toMatchObject({ authorization: `Bearer ${source.key}`, accept: 'application/json' })
    expect(writes().filter(({ path }) => path === '/api/public/v2/datasets')).toHaveLength(1)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('reads pages with the names of the client of the platform', async () => {
    await from({ datasets: { d: examples(501) }, camelCase: true })
    expect(await run(['--dataset', 'd'])).toMatchObject({ code: 0, stdout: expect.stringContaining('501 items.') })
  })

  it('reaches the source by way of a proxy', async () => {
    await from({ d: examples(501) })
    const proxy = await useProxy({ to: Number(new URL(source.url).port) })
    const env = { HTTP_PROXY: proxy.url() }
    const { code, stdout } = await run(['--dataset', 'd'], { env, url: `http://${HOST}/api/` })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(await run(['--dataset', 'd'], { env, url: `http://${HOST}/` })).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('501 items.') },
    })
    const targets = proxy.asked.map(({ target }) => target.split('?')[0])
    const examplesOf = `http://${HOST}/v2/datasets/d/examples`
    expect(targets).toEqual([`http://${HOST}/api/v2/datasets/d/examples`, ...Array(4).fill(examplesOf)])
  })

  it('a second time writes the same items over', async () => {
    await from({ d: examples(3) })
    await run(['--dataset', 'd'])
    expect(await run(['--dataset', 'd'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d: 3 rows, 3 items\./),
    })
  })

  it('takes several datasets, and all of them by their names', async () => {
    await from({ a: examples(2), b: [{ id: 'b1', input: 1 }] })
    const both = await run(['--dataset', 'a', '--dataset', 'b', '--as', 'one', '--as', 'two'])
    expect(both).toMatchObject({ code: 0, stdout: expect.stringMatching(/^one: 2 rows.*\ntwo: 1 row, 1 item\./) })
    await local.close()
    local = await startLocal()
    const all = await run(['--all'])
    expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/^named a: 2 rows.*\nnamed b: 1 row/) })
    expect(source.requests().map(({ path }) => path)).toContain('/v2/datasets?limit=100')
  })

  it('shows what it would write, and writes nothing', async () => {
    await from({ d: examples(600) })
    const { code, stdout } = await run(['--dataset', 'd', '--dry-run'], { env: { SVC_PUBLIC_KEY: '' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^d: more than 500 rows, the first of them:\n/)
    expect(stdout.match(/"id": "r\d+"/g)).toEqual(['"id": "r0"', '"id": "r1"', '"id": "r2"'])
    expect(stdout).toContain('"expectedOutput": "a0"')
    expect([local.calls(), readdirSync(cwd)]).toEqual([[], []])
  })

  it.each(['ts', 'mjs'])('maps by a file of its own (.%s)', async (extension) => {
    await from({ d: [...examples(2), { id: 'skip', question: 'none' }] })
    const types = extension === 'ts' ? ': { id: string; question: string }' : ''
    writeFileSync(
      join(cwd, `map.${extension}`),
      `export default (row${types}) => row.id === 'skip' ? undefined : { id: 'my-' + row.id, input: { q: row.question } }`,
    )
    const { code, stdout } = await run(['--dataset', 'd', '--map', `map.${extension}`])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^d: 3 rows, 2 items\.\n {2}1 row left out by the mapping\n/),
    })
    expect(await items('d')).toMatchObject([
      { id: 'my-r0', input: { q: 'q0' }, expectedOutput: null, metadata: null },
      { id: 'my-r1' },
    ])
  })

  it('rows without an id get one of their content, the same each time', async () => {
    await from({ d: [{ input: 1 }, { id: '', input: 2 }, { id: 'r', input: 3 }] })
    const { code, stdout } = await run(['--dataset', 'd'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^d: 3 rows, 3 items\.\n {2}2 rows without an id: that of the item is made of the content\n/,
      ),
    })
    expect(await run(['--dataset', 'd'])).toMatchObject({ code: 0, stdout: expect.stringContaining('3 items.') })
  })
})

describe('what fails on the way', () => {
  it('is tried again after the pause that the source asks for', async () => {
    await from({ d: examples(501) })
    source.fail({ status: 429, headers: { 'retry-after': '1' } }, 2)
    source.fail({ status: 500 }, 3)
    source.fail({ body: '{"examples":[{"id"' }, 5)
    source.fail({ cut: true }, 7)
    expect(await run(['--dataset', 'd'])).toMatchObject({ code: 0, stdout: expect.stringContaining('501 items.') })
    const [, refused, again] = source.requests()
    expect((again?.time ?? 0) - (refused?.time ?? 0)).toBeGreaterThan(950)
    expect(source.requests()).toHaveLength(8)
  })

  it('is tried again after the pause that the service asks for, and nobody asks meanwhile', async () => {
    await from({ d: examples(40) })
    const limit = local.respond(POST_ITEM, { status: 429, headers: { 'retry-after': '1' }, body: {}, times: 3 })
    const broken = local.respond(POST_ITEM, { status: 503, body: {} })
    expect(await run(['--dataset', 'd', '--concurrency', '4'])).toMatchObject({ code: 0 })
    expect([limit.count(), broken.count()]).toEqual([3, 1])
    expect(await items('d')).toHaveLength(40)
  })

  it('ends the import where it does not get better: a cursor that leads in a circle', async () => {
    await from({ datasets: { d: examples(1_200) }, circle: true })
    expect(await run(['--dataset', 'd'])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'svc: the source leads in a circle: it gives the cursor "c500" of dataset "d" twice.\n',
    })
    expect(writes()).toEqual([])
  })

  it('counts that differ are said, and are the exit code', async () => {
    await from({ d: [...examples(3), { id: 'r0', input: 'again' }] })
    expect(await run(['--dataset', 'd'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^d: 4 rows, 3 items: the counts differ\.\n {2}rows of one id, or alike and without one, become one item\n/,
      ),
    })
  })

  it('items that the service does not take are named, and the others written', async () => {
    await from({ d: examples(5) })
    local.respond(POST_ITEM, { status: 413, body: { message: 'too large' } })
    const { code, stdout } = await run(['--dataset', 'd', '--concurrency', '1'])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^d: 5 rows, 4 items: the counts differ\.\n {2}1 item refused by the service:\n {4}r0: .*too large/,
    )
  })

  it('a service that takes no item at all is not asked for each', async () => {
    await from({ d: examples(300) })
    local.respond(POST_ITEM, { status: 400, body: { message: 'no such thing' }, times: 300 })
    const { code, stderr } = await run(['--dataset', 'd'])
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the service takes no item of "d"'),
    })
    expect(writes().length).toBeLessThan(120)
  })
})

describe('an import that was stopped', () => {
  /** Stops an import, with some requests under way, after so many items. */
  async function stopped(signal: NodeJS.Signals, after: number) {
    const program = start(['--dataset', 'd'])
    let release = () => {}
    await local.waitFor(() => sent().length >= after, { timeoutMs: 30_000 })
    const held = local.respond(POST_ITEM, { until: new Promise<void>((resolve) => (release = resolve)), times: 8 })
    await held.met
    program.kill(signal)
    // Killed, it cannot take the answers; stopped, it waits for them.
    if (signal === 'SIGKILL') await program.ended
    else await program.said(/stopping/)
    release()
    return await program.ended
  }

  it('by Ctrl-C goes on with what is missing, and only that', async () => {
    const rows = examples(900)
    await from({ d: rows })
    expect(await stopped('SIGINT', 600)).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/svc: stopped\. What is written stays; run the same command again to go on\.\n$/),
    })
    expect(readdirSync(cwd)).toEqual(['.svc-migrate'])
    const before = sent().length
    expect(before).toBeLessThan(900)
    expect(await run(['--dataset', 'd'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d: 900 rows, 900 items/),
    })
    expect(sent().toSorted()).toEqual(ids(rows))
    expect(readdirSync(cwd)).toEqual([])
    // Neither is the source read from the beginning.
    expect(
      source
        .requests()
        .slice(4)
        .map(({ path }) => path),
    ).toEqual(['/v2/datasets/d/examples?limit=500&cursor=c500'])
  })

  it('by a crash sends again at most what was under way', async () => {
    const rows = examples(900)
    await from({ d: rows })
    expect(await stopped('SIGKILL', 600)).toMatchObject({ signal: 'SIGKILL' })
    expect(await run(['--dataset', 'd'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d: 900 rows, 900 items/),
    })
    expect([...new Set(sent())].toSorted()).toEqual(ids(rows))
    expect(sent().length).toBeLessThanOrEqual(908)
  })

  it('by a failure goes on as well; --restart begins again', async () => {
    await from({ d: examples(30) })
    local.respond(POST_ITEM, { status: 401, body: { message: 'revoked' } })
    const refused = await run(['--dataset', 'd', '--concurrency', '1'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses the keys with 401') })
    expect((await run(['--dataset', 'd', '--restart'])).code).toBe(0)
    expect(source.requests()).toHaveLength(4)
  })

  it('says what to do where the source forgot the place', async () => {
    await from({ d: examples(900) })
    await stopped('SIGINT', 600)
    source.fail({ status: 400 })
    expect(await run(['--dataset', 'd'])).toMatchObject({
      code: 1,
      stderr:
        'svc: <source> no longer knows the cursor at which dataset "d" goes on (400). Begin again with --restart.\n',
    })
    expect((await run(['--dataset', 'd', '--restart'])).code).toBe(0)
  })
})

it('many rows need no more memory than a page', { timeout: 180_000 }, async () => {
  const text = 'x'.repeat(10_000)
  const length = 8_000
  await from({ d: { length, at: (at) => ({ id: `r${at}`, input: `${at} ${text}` }) } })
  // The rows are 80 MB.
  const { code, stdout } = await run(['--dataset', 'd', '--concurrency', '16'], { node: ['--max-old-space-size=48'] })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^d: 8,000 rows, 8,000 items\./) })
})

describe('bad input', () => {
  beforeEach(() => from({ d: examples(3) }))

  /** One line says it, exit code 1, and nothing is written. */
  async function refused(args: readonly string[], given: Given, line: string | RegExp) {
    const { code, stdout, stderr } = await run(args, given)
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 })
    expect(stderr.trimEnd()).toMatch(line)
    expect([writes(), readdirSync(cwd).filter((name) => name.startsWith('.'))]).toEqual([[], []])
    expect(stderr).not.toContain('wrong-secret')
  }
  const SOURCE = '<source>'

  it.each<[string, Given['env'], string | RegExp]>([
    [
      'a wrong key of the source',
      { SOURCE_API_KEY: 'wrong-secret' },
      `svc: ${SOURCE} refuses the key with 401. Check SOURCE_API_KEY, and that --from is the region it is of.`,
    ],
    [
      'no key of the source',
      { SOURCE_API_KEY: '' },
      'svc: there is no SOURCE_API_KEY: set the key of the platform that datasets come from.',
    ],
    [
      'a key that cannot be sent',
      { SOURCE_API_KEY: 'wrong-secret\nx' },
      /^svc: SOURCE_API_KEY=\(hidden\) is ignored: expected a key, in plain ASCII/,
    ],
    [
      'wrong keys of the service',
      { SVC_SECRET_KEY: 'wrong-secret' },
      /^svc: http:\S+ refuses the keys with 401\. Check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is the region they are of\.$/,
    ],
    [
      'no keys of the service',
      { SVC_PUBLIC_KEY: '', SVC_SECRET_KEY: '' },
      'svc: there is no SVC_PUBLIC_KEY and no SVC_SECRET_KEY: set the keys of the project that datasets go to.',
    ],
    [
      'a service that is not there',
      { SVC_BASE_URL: 'http://127.0.0.1:2' },
      /^svc: http:\/\/127\.0\.0\.1:2 cannot be reached \(.*ECONNREFUSED.*\)\. Check SVC_BASE_URL\.$/,
    ],
    ['no URL of a service', { SVC_BASE_URL: 'eu' }, /^svc: SVC_BASE_URL="eu" is not usable/],
  ])('%s', async (_, env = {}, line) => refused(['--dataset', 'd'], { env }, line))

  it('wrong keys of the service, before the source is read', async () => {
    await run(['--dataset', 'd'], { env: { SVC_SECRET_KEY: 'wrong-secret' } })
    expect(source.requests()).toEqual([])
  })

  it('a region that is not there', () =>
    refused(
      ['--dataset', 'd'],
      { url: 'http://127.0.0.1:2' },
      'svc: 127.0.0.1:2 does not answer (ECONNREFUSED). Check --from: it has the region in it.',
    ))

  it('a region that sends elsewhere', async () => {
    source.fail({ status: 302, headers: { location: 'https://elsewhere.example.com' } })
    await refused(
      ['--dataset', 'd'],
      {},
      `svc: ${SOURCE} leads elsewhere with 302, where the key does not go. Set --from to the final address.`,
    )
  })

  it('an address that is no API', async () => {
    await refused(
      ['--dataset', 'd'],
      { url: local.url },
      /has no dataset "d"\. Check --dataset, and that --from is its region\.$/,
    )
    source.fail({ body: '<!doctype html>', headers: { 'content-type': 'text/html' } })
    await refused(
      ['--dataset', 'd'],
      {},
      `svc: ${SOURCE} answers for dataset "d" with what is no JSON. Check --from: it is the address of the API.`,
    )
    source.fail({ body: { hello: 1 } })
    await refused(
      ['--dataset', 'd'],
      {},
      'svc: the source answers for dataset "d" with something that is no page: expected a list of objects as "examples" or "data".',
    )
  })

  it('an unknown dataset, before another one is written', () =>
    refused(
      ['--dataset', 'd', '--dataset', 'dd'],
      {},
      `svc: ${SOURCE} has no dataset "dd". Check --dataset, and that --from is its region.`,
    ))

  it.each<[string, string, string | RegExp]>([
    [
      'does not parse',
      'export default (row) => {\n  return { input: row. }\n}',
      /^svc: --map map\.mjs cannot be read: Unexpected token '}' \(line 2\)$/,
    ],
    [
      'exports no function',
      'export const map = 1',
      'svc: --map map.mjs has no function as its default export: export default (row) => ({ input: row.x })',
    ],
    [
      'fails for a row',
      'export default (row) => ({ input: row.x.y })',
      /^svc: the mapping of --map fails for row "r0": Cannot read properties of undefined/,
    ],
    [
      'imports what is not there',
      'import "nowhere"\nexport default () => ({})',
      /^svc: --map map\.mjs cannot be read: Cannot find package 'nowhere'/,
    ],
  ])('a mapping that %s', async (_, text, line) => {
    writeFileSync(join(cwd, 'map.mjs'), text)
    await refused(['--dataset', 'd', '--map', 'map.mjs'], {}, line)
  })

  it('a mapping that is not there, or that this Node does not read', async () => {
    await refused(['--dataset', 'd', '--map', 'map.ts'], {}, 'svc: there is no file map.ts. Check --map.')
    writeFileSync(join(cwd, 'map.ts'), 'export default (row: object) => ({ input: row }')
    await refused(['--dataset', 'd', '--map', 'map.ts'], {}, /^svc: --map map\.ts cannot be read: .+ \(line 1\)$/)
    const old = { node: ['--no-experimental-strip-types'] }
    await refused(
      ['--dataset', 'd', '--map', 'map.ts'],
      old,
      /^svc: --map map\.ts cannot be read: Node v\S+ does not read TypeScript\. Use Node 22\.18 or later, or write it as JavaScript \(\.mjs\)\.$/,
    )
  })

  it.each([
    [['--dataset', 'd', '--from', 'eu'], '--from needs the URL'],
    [['--dataset', 'd', '--from', 'https://me:pw@x.example'], '--from needs the URL'],
    [['--dataset', 'd', '--from', 'https://x.example/?region=eu'], '--from needs the URL'],
    [[], 'name datasets with --dataset, or take them --all.'],
    [['--all', '--dataset', 'd'], 'name datasets with --dataset, or take them --all.'],
    [['--dataset', 'd', '--as', 'a', '--as', 'b'], '--as needs one name for each --dataset'],
    [['--dataset', 'd', '--concurrency', '0'], '--concurrency needs a whole number from 1 to 100.'],
  ])('flags that make no sense are exit code 2: %j', async (args, line) => {
    const { code, stderr } = await run(args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(line) })
    expect(local.calls()).toEqual([])
  })

  it('two datasets of one name', () =>
    refused(
      ['--dataset', 'd', '--dataset', 'e', '--as', 'x', '--as', 'x'],
      {},
      'svc: two datasets would be called "x". Name them with --as.',
    ))
})
