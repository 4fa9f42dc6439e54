import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RunCommand } from '../../command.ts'
import { write } from '../../output.ts'
import { type EnvMigration, planEnvironment, writeEnvironment } from './migrate-env.ts'

/** `svc migrate env`: lists variables of version 5 and of other SDKs, with their replacements. */
export const run: RunCommand = async ([dir = '.'], flags) => {
  const writes = flags.write === true && flags.check !== true
  const folder = resolve(dir)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    return fail(`${dir} is not a folder: expected the folder of an app.`)
  }
  const migration = planEnvironment(folder)
  if (writes) {
    try {
      writeEnvironment(migration)
    } catch (thrown) {
      return fail(`${thrown instanceof Error ? thrown.message : thrown}: nothing was changed.`)
    }
  }
  write(process.stdout, reportOf(migration, writes))
  return flags.check === true && migration.leftovers.length > 0 ? 1 : 0
}

function reportOf({ leftovers, unread, read, changes }: EnvMigration, isWritten: boolean): string {
  const places = leftovers.map(({ path, line, message, change }) => {
    const done = change && isWritten ? ` (${change === 'rename' ? 'renamed' : 'commented out'})` : ''
    return `${path}:${line}  ${message}${done}\n`
  })
  const others = unread.map(({ path, message }) => `${path}  ${message}\n`)
  return [...places, ...others, summaryOf(leftovers.length, read.length, changes.length, isWritten)].join('')
}

function summaryOf(found: number, read: number, changes: number, isWritten: boolean): string {
  const summary = found === 0 ? 'Nothing found' : `${found} found`
  const files = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`
  const next = changes === 0 ? '.' : isWritten ? `: ${files(changes)} changed.` : `: --write changes ${files(changes)}.`
  return `${summary} in ${files(read)}${next}\n`
}

function fail(message: string): number {
  write(process.stderr, `svc migrate env: ${message}\n`)
  return 1
}
