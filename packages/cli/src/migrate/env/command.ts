import { foreignText } from '@svc/core/foreign-text'
import { amount } from '../../amount.ts'
import type { RunCommand } from '../../command.ts'
import { write } from '../../output.ts'
import { AppFolder } from '../folder.ts'
import { type EnvMigration, planEnvironment } from './migrate-env.ts'

/** `svc migrate env`: lists variables of version 5 and of other SDKs, with their replacements. */
export const run: RunCommand = async ([dir = '.'], flags) => {
  const writes = flags.write === true && flags.check !== true
  const folder = new AppFolder('svc migrate env', dir)
  const migration = planEnvironment(folder.path)
  if (writes) folder.write(migration.changes)
  write(process.stdout, reportOf(migration, writes))
  return flags.check === true && migration.leftovers.length > 0 ? 1 : 0
}

const shown = (path: string): string => foreignText(path, Number.POSITIVE_INFINITY)

function reportOf({ leftovers, unread, read, changes }: EnvMigration, isWritten: boolean): string {
  const places = leftovers.map(({ path, line, message, change }) => {
    const done = change && isWritten ? ` (${change === 'rename' ? 'renamed' : 'commented out'})` : ''
    return `${shown(path)}:${line}  ${message}${done}\n`
  })
  const others = unread.map(({ path, message }) => `${shown(path)}  ${message}\n`)
  return [...places, ...others, summaryOf(leftovers.length, read.length, changes.length, isWritten)].join('')
}

function summaryOf(found: number, read: number, changes: number, isWritten: boolean): string {
  const summary = found === 0 ? 'Nothing found' : `${found} found`
  const next =
    changes === 0
      ? '.'
      : isWritten
        ? `: ${amount(changes, 'file')} changed.`
        : `: --write changes ${amount(changes, 'file')}.`
  return `${summary} in ${amount(read, 'file')}${next}\n`
}
