import { fileURLToPath } from 'node:url'
import { inherited, manyRuns } from '../../support/many-runs.ts'
import type { RunOptions } from '../../support/run.ts'

interface SvcEnded {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const commands = manyRuns<SvcEnded>(fileURLToPath(new URL('./many-commands.mjs', import.meta.url)))

/**
 * Runs `svc …args` with the result of a process that is started for it, but in one process for all: a process for each
 * would spend nine tenths of its time on loading. That `svc` as a process ends by itself is tested in svc.test.ts.
 */
export function runSvc(args: readonly string[], { cwd = process.cwd(), env }: RunOptions = {}): Promise<SvcEnded> {
  return commands.run({ args, cwd, env: { ...inherited(), SVC_TIMEOUT: '60', ...env } })
}
