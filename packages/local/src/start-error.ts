import { own } from '@svc/core/own'
import { resultCodeOf, SQLITE } from './sqlite-error.ts'

/** The service could not start; the message is fit for the user. */
export class LocalStartError extends Error {
  override readonly name = 'LocalStartError'
}

/** Says that the pages would be open to other machines. */
export const openPages = (host: string): LocalStartError =>
  new LocalStartError(
    `without a token (--no-token) every machine that reaches ${host} could open the pages: listen on 127.0.0.1, or leave it out.`,
  )

/** Says why listening failed, by the system's error code. */
export function listenError(error: unknown, host: string, port: number): LocalStartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = own(LISTEN_REASONS, code) ?? (error instanceof Error ? error.message : String(error))
  return new LocalStartError(`cannot listen on ${host}, port ${port}: ${reason}.`, { cause: error })
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use, choose another one',
  EACCES: 'this user may not use the port, choose one above 1023',
  EADDRNOTAVAIL: 'the address does not belong to this machine',
  ENOTFOUND: 'the host name is not known',
  ERR_SOCKET_BAD_PORT: 'a port is a number from 0 to 65535',
}

/** Says why a database file cannot be used. */
export function databaseError(error: unknown, file: string | undefined): LocalStartError {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  const reason = (file === undefined ? undefined : DATABASE_REASONS[resultCodeOf(error)]) ?? message
  const what = file === undefined ? 'a temporary database' : `the database ${file}`
  return new LocalStartError(`cannot use ${what}: ${reason}.`, { cause: error })
}

const DATABASE_REASONS: Readonly<Record<number, string>> = {
  [SQLITE.BUSY]: 'another program holds it, close that program or name another file',
  [SQLITE.READONLY]: 'this user may not write to it, name another file',
  [SQLITE.FULL]: 'no space is left on the disk',
  [SQLITE.CANTOPEN]:
    'it cannot be opened or created, name a file in a folder that is there and that this user may write to',
  [SQLITE.NOTADB]: 'it is no SQLite database, name another file',
}
