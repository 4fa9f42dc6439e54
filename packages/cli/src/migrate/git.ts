import { spawnSync } from 'node:child_process'

/** Returns the number of uncommitted files below a folder; undefined without a git repository. */
export function uncommittedIn(folder: string): number | undefined {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 67_108_864 } as const
  const { status, stdout } = spawnSync('git', ['status', '--porcelain', '--untracked-files=all', '--', '.'], options)
  return status === 0 ? stdout.split('\n').filter((line) => line !== '').length : undefined
}
