import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOST, useProxy } from '../support/network.ts'
import {
  anotherLocal,
  cwd,
  examples,
  from,
  ids,
  items,
  local,
  rowsFrom,
  run,
  source,
  useImport,
  writes,
} from './support/import-datasets.ts'

useImport()

describe('svc migrate datasets', () => {
  it('imports each example with its id, mapped as documented, page by page', async () => {
    const rows = examples(501, { created_at: '2026-01-01' })
    await from({ 'd/1': rows })
    const { code, stdout } = await run(['--dataset', 'd/1', '--as', 'capitals'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `capitals: 501 rows, 501 items.
Not copied:
  earlier versions of a dataset: the latest is copied
  created and updated times (501 rows): the service sets its own
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

  it("reads pages in the form of the platform's own client", async () => {
    await from({ datasets: { d: examples(501) }, camelCase: true })
    expect(await run(['--dataset', 'd', ...rowsFrom(490)])).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/^d: 501 rows, 11 items/) },
    })
  })

  it('reaches the source by way of a proxy', async () => {
    await from({ d: examples(501) })
    const proxy = await useProxy({ to: Number(new URL(source.url).port) })
    const env = { HTTP_PROXY: proxy.url() }
    const { code, stdout } = await run(['--dataset', 'd', ...rowsFrom(490)], { env, url: `http://${HOST}/api/` })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(await run(['--dataset', 'd', ...rowsFrom(490)], { env, url: `http://${HOST}/` })).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/^d: 501 rows, 11 items/) },
    })
    const targets = proxy.requests.map(({ target }) => target.split('?')[0])
    const examplesOf = `http://${HOST}/v2/datasets/d/examples`
    expect(targets).toEqual([`http://${HOST}/api/v2/datasets/d/examples`, ...Array(4).fill(examplesOf)])
  })

  it('overwrites the same items the second time', async () => {
    await from({ d: examples(3) })
    await run(['--dataset', 'd'])
    expect(await run(['--dataset', 'd'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d: 3 rows, 3 items\./),
    })
  })

  it('imports several datasets, or all of them, by name', async () => {
    await from({ a: examples(2), b: [{ id: 'b1', input: 1 }] })
    const both = await run(['--dataset', 'a', '--dataset', 'b', '--as', 'one', '--as', 'two'])
    expect(both).toMatchObject({ code: 0, stdout: expect.stringMatching(/^one: 2 rows.*\ntwo: 1 row, 1 item\./) })
    await anotherLocal()
    const all = await run(['--all'])
    expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/^named a: 2 rows.*\nnamed b: 1 row/) })
    expect(source.requests().map(({ path }) => path)).toContain('/v2/datasets?limit=100')
  })

  it('prints what it would write with --dry-run, and writes nothing', async () => {
    await from({ d: examples(600) })
    const { code, stdout } = await run(['--dataset', 'd', '--dry-run'], { env: { SVC_PUBLIC_KEY: '' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^d: more than 500 rows, the first of them:\n/)
    expect(stdout.match(/"id": "r\d+"/g)).toEqual(['"id": "r0"', '"id": "r1"', '"id": "r2"'])
    await from({ d: examples(1) })
    expect((await run(['--dataset', 'd', '--dry-run'])).stdout).toMatch(/^d: 1 row, the first of them:\n/)
    expect(stdout).toContain('"expectedOutput": "a0"')
    expect([local.calls(), readdirSync(cwd)]).toEqual([[], []])
  })

  it.each(['ts', 'mjs'])('uses a mapping file (.%s)', async (extension) => {
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

  it('derives a stable id for rows without one', async () => {
    await from({ d: [{ input: 1 }, { id: '', input: 2 }, { id: 'r', input: 3 }] })
    const { code, stdout } = await run(['--dataset', 'd'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^d: 3 rows, 3 items\.\n {2}2 rows without an id: the item has a hash of the content as its id\n/,
      ),
    })
    expect(await run(['--dataset', 'd'])).toMatchObject({ code: 0, stdout: expect.stringContaining('3 items.') })
  })
})
