import { spawnSync } from 'node:child_process'
import { hostVariables } from '@svc/core/environment'

/**
 * Returns the number of uncommitted files below a folder; undefined without a git repository.
 *
 * The configuration in a folder can name programs that git runs. None of them is run: hooks, the monitor of the file
 * system, filters of contents, what fetches missing objects, and whatever a submodule names.
 */
export function uncommittedIn(folder: string): number | undefined {
  const listed = git(folder, ['config', '--list', '--null', '--name-only', '--show-scope'])
  const status = ['status', '--porcelain', '--untracked-files=all', '--ignore-submodules=all', '--', '.']
  const stdout = listed === undefined ? undefined : git(folder, status, withoutFilters(listed))
  return stdout?.split('\n').filter((line) => line !== '').length
}

type Setting = readonly [name: string, value: string]

const SAFE: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
]

/** Returns the settings against the filters of the repository. Those of the user stay, such as that of Git LFS. */
function withoutFilters(listed: string): Setting[] {
  const fields = listed.split('\0')
  return fields.flatMap((name, at): Setting[] => {
    const isOfFolder = fields[at - 1] === 'local' || fields[at - 1] === 'worktree'
    const [, filter, key] = /^(filter\..*)\.(clean|process|required)$/s.exec(name) ?? []
    if (!isOfFolder || !filter) return []
    const none: Setting = [`${filter}.required`, 'false']
    return key === 'required' ? [none] : [[name, ''], none]
  })
}

const LIMIT_MS = 60_000

function git(folder: string, command: readonly string[], more: readonly Setting[] = []): string | undefined {
  const settings = [...SAFE, ...more]
  const named = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  const env = {
    ...hostVariables(),
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(named),
  }
  const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 67_108_864, timeout: LIMIT_MS } as const
  const { status, stdout } = spawnSync('git', ['--no-pager', '--no-optional-locks', ...command], options)
  return status === 0 ? stdout : undefined
}
