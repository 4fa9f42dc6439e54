import { spawnSync } from 'node:child_process'

/** How many files below a folder git would lose if they were overwritten. Undefined where there is no git. */
export function uncommittedIn(folder: string): number | undefined {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 67_108_864 } as const
  const { status, stdout } = spawnSync('git', ['status', '--porcelain', '--untracked-files=all', '--', '.'], options)
  return status === 0 ? stdout.split('\n').filter((line) => line !== '').length : undefined
}
