import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { afterEach, beforeEach } from 'vitest'
import { inherited, manyRuns } from '../support/many-runs.ts'
import { runNode } from '../support/run.ts'

/** Experiments that vitest runs as tests: `evals/words.eval.mjs`, in a vitest of its own, or in one for many runs. */

const cwd = fileURLToPath(new URL('evals', import.meta.url))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

interface Options {
  readonly task?: string
  readonly options?: object
  readonly kind?: 'only' | 'skip'
  readonly filter?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Of the test that runs: a service of nothing yet, and a folder for what is written. See {@link useEvals}. */
export let local: LocalService
export let folder: string

export function useEvals(): void {
  beforeEach(async () => {
    local = await startLocal()
    folder = mkdtempSync(join(tmpdir(), 'svc-evals-'))
  })
  afterEach(async () => {
    rmSync(folder, { recursive: true })
    await local.close()
  })
}

/** Runs the fixture with vitest as a command: how it ended, what each test came to, and what was printed. */
export async function run(options: Options = {}) {
  const { filter, report, env } = told(options)
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code, stdout, stderr } = await runNode([vitest, ...args, ...(filter ? ['-t', filter] : [])], { cwd, env })
  return { code, printed: stdout + stderr, ...reported(report) }
}

const many = manyRuns<{ readonly code: number; readonly printed: string }>(join(cwd, 'many-runs.mjs'))

/** The same in one process for all: most of a command's time is its start. */
export async function runInOne(options: Options = {}) {
  const { env, ...rest } = told(options)
  return { ...(await many.run({ ...rest, env: { ...inherited(), ...env } })), ...reported(rest.report) }
}

function told({ task = '', options = {}, kind, filter, env }: Options) {
  const variables = { TASK: task, OPTIONS: JSON.stringify(options), ...(kind ? { KIND: kind } : {}) }
  const summary = { SVC_EXPERIMENT_SUMMARY_DIR: folder }
  return {
    report: join(folder, 'report.json'),
    filter,
    env: { NO_COLOR: '1', SVC_TIMEOUT: '60', ...local.env, ...summary, ...variables, ...env },
  }
}

function reported(report: string) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const tests = testResults.flatMap((file) => file.assertionResults)
  return {
    tests: Object.fromEntries(tests.map((test) => [test.title, test.status])),
    errors: tests.flatMap(({ failureMessages }) => failureMessages.map((message) => message.split('\n    at ')[0])),
  }
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

export const summary = () => JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8'))
export const THREE = '{"word":"three"}'
export const allPassed = { one: 'passed', two: 'passed', [THREE]: 'passed' }
