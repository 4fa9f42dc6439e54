import { describe, expect, it } from 'vitest'
import { ALL_CASES } from './all-cases.ts'
import { problemsOf } from './case.ts'

// All of them, those that take longer too, beside stock OpenTelemetry: `pnpm faults`.
const cases = ALL_CASES.filter(({ isSlow }) => !isSlow)
const groups = [...new Set(cases.map(({ group }) => group))]

describe.each(groups)('%s', (group) => {
  it.concurrent.each(cases.filter((each) => each.group === group))(
    '$name',
    async ({ expected, run }) => {
      expect(problemsOf(expected, await run('svc'))).toEqual([])
    },
    120_000,
  )
})
