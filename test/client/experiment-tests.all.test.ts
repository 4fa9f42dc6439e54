import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allPassed, folder, local, runInOne as run, summary, THREE, useEvals } from './eval-support.ts'

useEvals()

// In one process. That vitest as a command ends with the code is in experiment-tests.test.ts.
describe('svcExperiment', { timeout: 600_000 }, () => {
  it('shows a task that throws as a failed test with its own error, and runs the others', async () => {
    const { code, tests, errors } = await run({ task: 'throws at two' })
    expect({ code, tests }).toEqual({ code: 1, tests: { ...allPassed, two: 'failed' } })
    expect(errors).toEqual(['Error: cannot write two'])
    expect(summary()).toMatchObject({ passed: false, items: [{}, { error: 'cannot write two', scores: {} }, {}] })
    expect(readFileSync(join(folder, 'words.md'), 'utf8')).toContain('| two: cannot write two |  |  |')
  })

  it('ends a task that takes too long', async () => {
    const { tests, errors } = await run({ task: 'never ends at two', options: { timeoutInSeconds: 0.1 } })
    expect(tests).toEqual({ ...allPassed, two: 'failed' })
    expect(errors).toEqual(['Error: the task took longer than 0.1 s (timeoutInSeconds)'])
  })

  it('fails the suite with a RegressionError if a mean is too low, or a score is missing', async () => {
    const ended = await run({ task: 'is wrong at two', options: { thresholds: { right: 0.9, answers: { mean: 3 } } } })
    expect(ended).toMatchObject({ code: 1, tests: allPassed })
    const metric = 'RegressionError: The experiment is worse than allowed: right is 0.666'
    expect(ended.printed).toContain(metric)
    expect(ended.printed).toContain('right    0.667 (mean 0.9)')
    expect(summary()).toMatchObject({ passed: false, missed: [{ score: 'right', mean: 0.9 }] })
    const typo = await run({ options: { thresholds: { rihgt: 0.9 } } })
    expect(typo.printed).toContain('RegressionError: rihgt: no item has a score of this name, expected at least 0.9')
  })

  it('fails the suite with the items that got worse since the last run', async () => {
    expect((await run()).code).toBe(0)
    const worse = await run({ task: 'is wrong at two', options: { tolerance: { letters: 2 } } })
    expect(worse).toMatchObject({ code: 1, tests: allPassed })
    expect(worse.printed).toContain('RegressionError: two: right was 1, is 0\n')
    expect(summary()).toMatchObject({
      baseline: expect.stringMatching(/^words - /),
      worse: [{ title: 'two', score: 'right', before: 1, now: 0 }],
    })
    // The last run is the bad one now, and nothing is worse than that.
    expect((await run({ task: 'is wrong at two' })).code).toBe(0)
    expect((await run({ task: 'is wrong at two', options: { baseline: false } })).code).toBe(0)
  })

  it('compares with the named run, or the newest one with that prefix', async () => {
    await run({ options: { runName: 'words, the good, old ones' } })
    await run({ options: { runName: 'words - main - 1' } })
    await run({ task: 'is wrong at two', options: { baseline: false, runName: 'words - branch - 2' } })
    for (const baseline of ['words, the good, old ones', 'words - main']) {
      const { printed } = await run({ task: 'is wrong at two', options: { baseline, tolerance: { letters: 9 } } })
      expect(printed).toContain('RegressionError: two: right was 1, is 0')
    }
    const unknown = await run({ task: 'is wrong at two', options: { baseline: 'wrods' } })
    expect(unknown.code).toBe(0)
    expect(unknown.printed).toContain('experiment "words" is not compared: there is no run named "wrods".')
  })

  it('warns if the last run cannot be read, and continues', async () => {
    local.respond('GET /api/public/experiments', { status: 403, body: { message: 'no' } })
    const { code, printed } = await run()
    expect(code).toBe(0)
    expect(printed).toContain('experiment "words" is not compared: earlier runs cannot be read: GET ')
  })

  it('runs over a dataset, whose items keep their ids', async () => {
    await call('POST', '/v2/datasets', { name: 'numbers' })
    const items = [
      { id: 'n1', input: 'one', expectedOutput: 'ONE' },
      { id: 'n2', input: 'two', expectedOutput: 'TWO' },
    ]
    for (const item of items) await call('POST', '/dataset-items', { datasetName: 'numbers', ...item })
    expect((await run({ options: { dataset: 'numbers' } })).tests).toEqual({ one: 'passed', two: 'passed' })
    const worse = await run({ options: { dataset: 'numbers', tolerance: { letters: 9 } }, task: 'is wrong at two' })
    expect(worse.printed).toContain('RegressionError: two: right was 1, is 0')
    expect(summary()).toMatchObject({ items: [{ itemId: 'n1' }, { itemId: 'n2' }] })
    // The same run over a dataset, started again, is the same experiment: it is not compared with itself.
    const again = {
      task: 'is wrong at two',
      options: { dataset: 'numbers', runName: 'words - b', tolerance: { letters: 9 } },
    }
    await run({ options: { dataset: 'numbers', runName: 'words - a' } })
    for (const attempt of [1, 2]) expect({ attempt, ...(await run(again)) }).toMatchObject({ attempt, code: 1 })
    expect(summary().baseline).toBe('words - a')
  })

  it('runs only filtered items, and does not store them as last run', async () => {
    await run({ task: 'is wrong at two' })
    const part = await run({ filter: 'one', options: { thresholds: { right: 0.9 } } })
    expect(part).toMatchObject({ code: 0, tests: { one: 'passed', two: 'skipped', [THREE]: 'skipped' } })
    expect(part.printed).toMatch(/words, in part - \S+: 1 of 3 items, compared with words - /)
    expect(summary()).toMatchObject({ total: 3, items: [{ title: 'one' }], scores: [{ name: 'right' }, {}, {}] })
    expect((await run()).printed).not.toContain('compared with words, in part')
  })

  it.each(['only', 'skip'] as const)('supports %s, like other suites', async (kind) => {
    const { code, tests } = await run({ kind, options: { dataset: kind === 'skip' ? 'unknown' : undefined } })
    const expected = { only: { ...allPassed, 1: 'skipped' }, skip: { 'is left out': 'skipped', 1: 'passed' } }
    expect({ code, tests }).toEqual({ code: 0, tests: expected[kind] })
  })

  it('runs locally without keys, with one line about that', async () => {
    const none = { SVC_PUBLIC_KEY: '', SVC_SECRET_KEY: '' }
    const { code, tests, printed } = await run({ env: none, options: { thresholds: { right: 1 } } })
    expect({ code, tests }).toEqual({ code: 0, tests: allPassed })
    expect(printed.match(/\[Svc SDK].*/g)).toEqual([
      '[Svc SDK] [WARN] experiments run locally and nothing is sent: ' +
        'there is no SVC_PUBLIC_KEY and no SVC_SECRET_KEY.',
    ])
    expect(printed).toContain('right    1 (mean 1)')
    expect([...local.calls(), ...local.requests()]).toEqual([])
  })

  it('appends to the summary of a step of GitHub Actions', async () => {
    const step = join(folder, 'step.md')
    for (const task of ['', 'is wrong at two']) await run({ task, env: { GITHUB_STEP_SUMMARY: step } })
    const page = readFileSync(step, 'utf8')
    expect([...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)).toEqual(['words: passed', 'words: failed'])
    expect(page).toContain('\n| right | 0.667 | 1 |  |\n')
    expect(page).toContain('\n- two: right was 1, is 0\n')
  })

  it('warns if a summary cannot be written, and fails no test', async () => {
    const { code, printed } = await run({ env: { GITHUB_STEP_SUMMARY: folder } })
    expect(code).toBe(0)
    expect(printed).toContain('the summary of an experiment cannot be written to GITHUB_STEP_SUMMARY: EISDIR')
  })

  it.each([
    [{ tolerance: -1 }, 'svcExperiment needs a tolerance that is a number from 0'],
    [{ data: [] }, 'the experiment "words" has no items.'],
    [{ data: 'x' }, 'svcExperiment needs data that is a list of items, or a dataset: got "x"'],
  ])('refuses %j', async (options, message) => {
    const { code, printed } = await run({ options })
    expect(code).toBe(1)
    expect(printed).toContain(`TypeError: svc: ${message}`)
  })
})

async function call(method: string, path: string, body: object): Promise<void> {
  const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
  const headers = { authorization, 'content-type': 'application/json' }
  const { ok } = await fetch(`${local.url}/api/public${path}`, { method, headers, body: JSON.stringify(body) })
  expect(ok).toBe(true)
}
