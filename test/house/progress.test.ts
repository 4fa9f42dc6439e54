import { expect, it } from 'vitest'
import { Progress } from '../../scripts/progress.mjs'
import ProgressReporter from '../../scripts/progress-reporter.mjs'
import { root } from './repository.ts'

const minute = 60_000

it('says how many files and tests are done, and what has run longest', () => {
  const progress = new Progress(['a', 'b', 'c'], new Map(), 0)
  progress.begin('a', 0)
  progress.begin('b', minute)
  progress.test(true)
  progress.test(false)
  progress.end('a')
  expect(progress.line(2 * minute)).toBe('1 of 3 files, 1 passed, 1 failed, b has run for 60 s')
})

it('what is left takes as much longer than in the last run as what is done did', () => {
  const lastRun = new Map([
    ['a', minute],
    ['b', 2 * minute],
    ['c', 3 * minute],
  ])
  const progress = new Progress(lastRun.keys(), lastRun, 0)
  expect(progress.line(0)).toBe('0 of 3 files, 0 passed, 0 failed')
  progress.end('a')
  expect(progress.line(2 * minute)).toBe('1 of 3 files, 0 passed, 0 failed, about 10 min left')
  progress.begin('b', 2 * minute)
  expect(progress.line(3 * minute)).toBe('1 of 3 files, 0 passed, 0 failed, about 6 min left, b has run for 60 s')
  progress.end('b')
  progress.end('c')
  expect(progress.line(9 * minute)).toBe('3 of 3 files, 0 passed, 0 failed')
})

it('prints a failure when it happens, with its file and what it logged', () => {
  const printed: string[] = []
  const reporter = new ProgressReporter({ out: { write: (text: string) => printed.push(text) } as never })
  const logger = { printError: ({ message }: Error) => printed.push(message) }
  reporter.onInit({ config: { root }, logger })
  reporter.onTestCaseResult({
    fullName: 'the rule',
    module: { moduleId: `${root}/test/some.test.ts` },
    result: () => ({ state: 'failed', errors: [new Error('not so')] }),
    logs: () => [{ content: 'a line\n' }],
  })
  expect(printed).toEqual(['FAILED test/some.test.ts > the rule\n', 'a line\n', 'not so'])
})
