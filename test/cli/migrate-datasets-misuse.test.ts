import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { cwd, examples, from, type Given, local, run, source, useImport, writes } from './support/import-datasets.ts'

useImport()

describe('svc migrate datasets with invalid input:', () => {
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
      `svc: ${SOURCE} refuses the key with 401. Check SOURCE_API_KEY, and that --from is its region.`,
    ],
    [
      'no key of the source',
      { SOURCE_API_KEY: '' },
      'svc: SOURCE_API_KEY is not set: set it to the key of the source platform.',
    ],
    [
      'a key that cannot be sent',
      { SOURCE_API_KEY: 'wrong-secret\nx' },
      /^svc: SOURCE_API_KEY=\(hidden\) is ignored: expected a key in plain ASCII/,
    ],
    [
      'wrong keys of the service',
      { SVC_SECRET_KEY: 'wrong-secret' },
      /^svc: http:\S+ refuses the keys with 401\. Check SVC_PUBLIC_KEY and SVC_SECRET_KEY, and that SVC_BASE_URL is their region\.$/,
    ],
    [
      'no keys of the service',
      { SVC_PUBLIC_KEY: '', SVC_SECRET_KEY: '' },
      'svc: no SVC_PUBLIC_KEY and no SVC_SECRET_KEY: set the keys of the project to import into.',
    ],
    [
      'a service that is not there',
      { SVC_BASE_URL: 'http://127.0.0.1:2' },
      /^svc: http:\/\/127\.0\.0\.1:2 cannot be reached \(.*ECONNREFUSED.*\)\. Check SVC_BASE_URL\.$/,
    ],
    ['no URL of a service', { SVC_BASE_URL: 'eu' }, /^svc: SVC_BASE_URL="eu" is not usable/],
  ])('%s', async (_, env = {}, line) => refused(['--dataset', 'd'], { env }, line))

  it('wrong keys of the service are reported before the source is read', async () => {
    await run(['--dataset', 'd'], { env: { SVC_SECRET_KEY: 'wrong-secret' } })
    expect(source.requests()).toEqual([])
  })

  it('an unknown region', () =>
    refused(
      ['--dataset', 'd'],
      { url: 'http://127.0.0.1:2' },
      'svc: 127.0.0.1:2 does not answer (ECONNREFUSED). Check --from: it contains the region.',
    ))

  it('a region that redirects', async () => {
    source.fail({ status: 302, headers: { location: 'https://elsewhere.example.com' } })
    await refused(
      ['--dataset', 'd'],
      {},
      `svc: ${SOURCE} redirects (302), which is not followed. Set --from to the final address.`,
    )
  })

  it('a URL that is not the API', async () => {
    await refused(
      ['--dataset', 'd'],
      { url: local.url },
      /has no dataset "d"\. Check --dataset, and that --from is its region\.$/,
    )
    source.fail({ body: '<!doctype html>', headers: { 'content-type': 'text/html' } })
    await refused(
      ['--dataset', 'd'],
      {},
      `svc: ${SOURCE} answers for dataset "d" with something other than JSON. Check --from: it is the URL of the API.`,
    )
    source.fail({ body: { hello: 1 } })
    await refused(
      ['--dataset', 'd'],
      {},
      'svc: the source returned an invalid page for dataset "d": expected a list of objects as "examples" or "data".',
    )
  })

  it('an unknown dataset is reported before another one is written', () =>
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

  it('a missing mapping file, or one that this Node cannot load', async () => {
    await refused(['--dataset', 'd', '--map', 'map.ts'], {}, 'svc: the file map.ts does not exist. Check --map.')
    writeFileSync(join(cwd, 'map.ts'), 'export default (row: object) => ({ input: row }')
    await refused(['--dataset', 'd', '--map', 'map.ts'], {}, /^svc: --map map\.ts cannot be read: .+ \(line 1\)$/)
    const old = { node: ['--no-experimental-strip-types'] }
    await refused(
      ['--dataset', 'd', '--map', 'map.ts'],
      old,
      /^svc: --map map\.ts cannot be read: Node v\S+ does not load TypeScript\. Use Node 22\.18 or later, or write it in JavaScript \(\.mjs\)\.$/,
    )
  })

  it.each([
    [['--dataset', 'd', '--from', 'eu'], '--from needs the URL'],
    [['--dataset', 'd', '--from', 'https://me:pw@x.example'], '--from needs the URL'],
    [['--dataset', 'd', '--from', 'https://x.example/?region=eu'], '--from needs the URL'],
    [[], 'name datasets with --dataset, or import --all.'],
    [['--all', '--dataset', 'd'], 'name datasets with --dataset, or import --all.'],
    [['--dataset', 'd', '--as', 'a', '--as', 'b'], '--as needs one name for each --dataset'],
    [['--dataset', 'd', '--concurrency', '0'], '--concurrency needs a whole number from 1 to 100.'],
  ])('invalid flags exit with 2: %j', async (args, line) => {
    const { code, stderr } = await run(args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(line) })
    expect(local.calls()).toEqual([])
  })

  it('two datasets with the same name', () =>
    refused(
      ['--dataset', 'd', '--dataset', 'e', '--as', 'x', '--as', 'x'],
      {},
      'svc: two datasets would have the name "x". Set their names with --as.',
    ))
})
