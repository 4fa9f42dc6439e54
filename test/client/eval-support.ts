import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { afterEach, beforeEach } from 'vitest'
import { runNode } from '../support/run.ts'

/** Experiments that vitest runs as tests: `evals/words.eval.mjs`, in a vitest of its own. */

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

/** Runs the fixture in a vitest of its own: how it ended, what each test came to, and what was printed. */
export async function run({ task = '', options = {}, kind, filter, env }: Options = {}) {
  const report = join(folder, 'report.json')
  const summary = { SVC_EXPERIMENT_SUMMARY_DIR: folder }
  const variables = { TASK: task, OPTIONS: JSON.stringify(options), ...(kind ? { KIND: kind } : {}) }
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ended = await runNode([vitest, ...args, ...(filter ? ['-t', filter] : [])], {
    cwd,
    env: { NO_COLOR: '1', ...local.env, ...summary, ...variables, ...env },
  })
  const tests = (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults.flatMap(
    (file) => file.assertionResults,
  )
  return {
    code: ended.code,
    printed: ended.stdout + ended.stderr,
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
