import { withoutEnd } from '@svc/core/without-end'
import { amount } from '../../amount.ts'
import type { RunCommand } from '../../command.ts'
import { type Output, write, writePatch } from '../../output.ts'
import { confirm, isInteractive, progressLine } from '../../terminal.ts'
import { AppFolder } from '../folder.ts'
import { uncommittedIn } from './git.ts'
import { type Migration, planMigration, unifiedDiff } from './migrate-code.ts'
import { placesOf, summaryOf } from './report.ts'

/** `svc migrate code`: rewrites an app from version 5 to version 6. */
export const run: RunCommand = async ([dir = '.'], flags) => {
  const folder = new AppFolder('svc migrate code', dir)
  const writes = flags.check !== true && flags.dryRun !== true
  const refusal = writes ? refusalToWrite(dir, folder.path, flags) : undefined
  if (refusal !== undefined) throw folder.failure(refusal)
  const migration = await plan(folder.path)
  if (flags.dryRun === true) writePatch(process.stdout, migration.changes.map(unifiedDiff).join(''))
  if (!writes) {
    // Only the diff goes to stdout, so that git apply can read it.
    const stream = flags.dryRun === true ? process.stderr : process.stdout
    print(stream, placesOf(migration, 'before'), summaryOf(migration, 'would change'))
    return flags.check === true && isUnfinished(migration) ? 1 : 0
  }
  if (migration.changes.length === 0) {
    print(process.stdout, placesOf(migration, 'before'), summaryOf(migration, 'change'))
    return 0
  }
  const question = `Change ${amount(migration.changes.length, 'file')} in ${dir}?`
  if (flags.yes !== true && !(await confirm(question))) throw folder.failure('nothing was changed.')
  folder.write(migration.changes)
  print(process.stdout, placesOf(migration, 'after'), summaryOf(migration, 'changed'))
  return 0
}

/** Whether `--check` fails: not for places that only may need a change, or that work. */
function isUnfinished({ changes, places }: Migration): boolean {
  return changes.length > 0 || places.some(({ severity }) => severity === 'error')
}

function refusalToWrite(dir: string, folder: string, { yes, force }: Parameters<RunCommand>[1]): string | undefined {
  if (yes !== true && !isInteractive())
    return 'this is not a terminal, so you cannot be asked: add --yes, or --check or --dry-run to write nothing.'
  if (force === true) return undefined
  const uncommitted = uncommittedIn(folder)
  if (uncommitted === undefined)
    return `${dir} is not in a git repository, so the changes could not be undone: add --force to write nevertheless.`
  if (uncommitted === 0) return undefined
  const files = uncommitted === 1 ? '1 file that is' : `${uncommitted} files that are`
  return `${dir} has ${files} not committed: commit ${uncommitted === 1 ? 'it' : 'them'} first, or add --force.`
}

async function plan(folder: string): Promise<Migration> {
  const progress = progressLine()
  try {
    return await planMigration(folder, { onProgress: progress.update })
  } finally {
    progress.clear()
  }
}

function print(stream: Output, ...parts: readonly string[]) {
  const text = parts.filter((each) => each !== '').join('\n')
  if (text !== '') write(stream, `${withoutEnd(text, '\n')}\n`)
}
