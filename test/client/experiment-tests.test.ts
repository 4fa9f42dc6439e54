import { describe, expect, it } from 'vitest'
import { allPassed, local, run, summary, THREE, useEvals } from './eval-support.ts'

useEvals()

// A run that is recorded, and one that is not good enough. All else is in experiment-tests.all.test.ts.
describe('svcExperiment', () => {
  it('creates a test for each item, prints the scores, and records the experiment', async () => {
    const { code, tests, printed } = await run()
    expect({ code, tests }).toEqual({ code: 0, tests: allPassed })
    expect(printed).toMatch(/words - \S+Z: 3 items\n {2}right {4}1\n {2}letters {2}3.667\n {2}answers {2}3\n {2}http:/)
    expect(summary()).toMatchObject({
      ...{ name: 'words', passed: true, total: 3, worse: [], missed: [] },
      experimentUrl: expect.stringContaining(local.url),
      scores: [
        { name: 'right', value: 1 },
        { name: 'letters', value: 11 / 3 },
        { name: 'answers', value: 3 },
      ],
      items: [
        { title: 'one', scores: { right: 1, letters: 3 }, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
        { title: 'two' },
        { title: THREE },
      ],
    })
    expect(local.traces()).toHaveLength(3)
    expect(
      local
        .scores()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['answers', 'letters', 'letters', 'letters', 'right', 'right', 'right'])
  })

  it('fails the test of an item whose score is outside of its thresholds', async () => {
    const thresholds = { right: { min: 1 }, letters: { max: 4 }, tone: { min: 0 } }
    const { code, errors } = await run({ task: 'is wrong at two', options: { thresholds } })
    const missing = 'tone is missing, because no evaluator returned it as a number: expected at least 0'
    expect(code).toBe(1)
    expect(errors.toSorted()).toEqual([
      `Error: letters is 5: expected at most 4\n${missing}`,
      `Error: right is 0: expected at least 1 (compared)\n${missing}`,
      `Error: ${missing}`,
    ])
  })
})
