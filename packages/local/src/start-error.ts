/** The service could not start; the message is fit for the user. */
export class LocalStartError extends Error {
  override readonly name = 'LocalStartError'
}

/** Says why listening failed, by the system's error code. */
export function listenError(error: unknown, host: string, port: number): LocalStartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = LISTEN_REASONS[code] ?? (error instanceof Error ? error.message : String(error))
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
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  const what = file === undefined ? 'a temporary database' : `the database ${file}`
  return new LocalStartError(`cannot use ${what}: ${reason}.`, { cause: error })
}
