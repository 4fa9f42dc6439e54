import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  cwd,
  examples,
  from,
  ids,
  items,
  local,
  POST_ITEM,
  rowsFrom,
  run,
  sent,
  source,
  start,
  useImport,
  writes,
} from './support/import-datasets.ts'

useImport()

describe('a failing import', () => {
  it('is retried whatever page of the source fails', async () => {
    await from({ d: examples(501) })
    source.fail({ status: 429, headers: { 'retry-after': '0' } }, 2)
    source.fail({ status: 500 }, 3)
    source.fail({ body: '{"examples":[{"id"' }, 5)
    source.fail({ cut: true }, 7)
    const { code, stdout } = await run(['--dataset', 'd', ...rowsFrom(490)])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^d: 501 rows, 11 items/) })
    expect(source.requests()).toHaveLength(8)
  })

  it('is retried with each item that the service does not take at once', async () => {
    await from({ d: examples(40) })
    const limit = local.respond(POST_ITEM, { status: 429, headers: { 'retry-after': '0' }, body: {}, times: 3 })
    const broken = local.respond(POST_ITEM, { status: 503, body: {} })
    expect(await run(['--dataset', 'd', '--concurrency', '4'])).toMatchObject({ code: 0 })
    expect([limit.count(), broken.count()]).toEqual([3, 1])
    expect(await items('d')).toHaveLength(40)
  })

  it('ends if a cursor repeats', async () => {
    await from({ datasets: { d: examples(1_200) }, circle: true })
    expect(await run(['--dataset', 'd'])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'svc: the source repeats pages: it returned the cursor "c500" of dataset "d" twice.\n',
    })
    expect(writes()).toEqual([])
  })

  it('reports differing counts, and sets the exit code', async () => {
    await from({ d: [...examples(3), { id: 'r0', input: 'again' }] })
    expect(await run(['--dataset', 'd'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^d: 4 rows, 3 items: the counts differ\.\n {2}rows with the same id, or equal rows without an id, become one item\n/,
      ),
    })
  })

  it('names items that the service refuses, and writes the others', async () => {
    await from({ d: examples(5) })
    local.respond(POST_ITEM, { status: 413, body: { message: 'too large' } })
    const { code, stdout } = await run(['--dataset', 'd', '--concurrency', '1'])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^d: 5 rows, 4 items: the counts differ\.\n {2}1 item refused by the service:\n {4}r0: .*too large/,
    )
  })

  it('stops sending to a service that refuses every item', async () => {
    await from({ d: examples(300) })
    local.respond(POST_ITEM, { status: 400, body: { message: 'no such thing' }, times: 300 })
    const { code, stderr } = await run(['--dataset', 'd'])
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the service rejects all items of "d"'),
    })
    expect(writes().length).toBeLessThan(120)
  })
})

describe('an interrupted import', () => {
  // Ten items of the first page, and forty of the second.
  const [rows, written] = [examples(540), 50]
  const command = () => ['--dataset', 'd', ...rowsFrom(490)]

  /** Stops an import in its second page, with some requests under way. */
  async function stopped(signal: NodeJS.Signals) {
    const program = start(command())
    let release = () => {}
    await local.waitFor(() => sent().length >= 20)
    const held = local.respond(POST_ITEM, { until: new Promise<void>((resolve) => (release = resolve)), times: 8 })
    await held.met
    program.kill(signal)
    // Killed, it cannot take the answers; stopped, it waits for them.
    if (signal === 'SIGKILL') await program.ended
    else await program.printed(/stopping/)
    release()
    return await program.ended
  }

  it('by Ctrl-C continues with the missing items only', async () => {
    await from({ d: rows })
    expect(await stopped('SIGINT')).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(
        /svc: stopped\. Written items are kept; run the same command again to continue\.\n$/,
      ),
    })
    expect(readdirSync(cwd)).toEqual(['.svc-migrate', 'rows.mjs'])
    const before = sent().length
    expect(before).toBeLessThan(written)
    expect(await run(command())).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d: 540 rows, 50 items/),
    })
    expect(sent().toSorted()).toEqual(ids(rows.slice(-written)))
    expect(readdirSync(cwd)).toEqual(['rows.mjs'])
    // Neither is the source read from the beginning.
    expect(
      source
        .requests()
        .slice(4)
        .map(({ path }) => path),
    ).toEqual(['/v2/datasets/d/examples?limit=500&cursor=c500'])
  })

  it('by a crash repeats at most the items in flight', async () => {
    await from({ d: rows })
    expect(await stopped('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    expect(await run(command())).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^d: 540 rows, 50 items/),
    })
    expect([...new Set(sent())].toSorted()).toEqual(ids(rows.slice(-written)))
    expect(sent().length).toBeLessThanOrEqual(written + 8)
  })

  it('by a failure continues as well, and --restart starts again', async () => {
    await from({ d: examples(30) })
    local.respond(POST_ITEM, { status: 401, body: { message: 'revoked' } })
    const refused = await run(['--dataset', 'd', '--concurrency', '1'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses the keys with 401') })
    expect((await run(['--dataset', 'd', '--restart'])).code).toBe(0)
    expect(source.requests()).toHaveLength(4)
  })

  it('explains what to do if the source does not know its cursor any more', async () => {
    await from({ d: rows })
    await stopped('SIGINT')
    source.fail({ status: 400 })
    expect(await run(command())).toMatchObject({
      code: 1,
      stderr:
        'svc: <source> no longer accepts the cursor for the rest of dataset "d" (400). Start again with --restart.\n',
    })
    expect((await run([...command(), '--restart'])).code).toBe(0)
  })
})
