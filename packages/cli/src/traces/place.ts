import { existsSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { SVC } from '../own-command.ts'

/** Where traces are read: the flags of `svc traces` and `svc mcp`. */
export interface PlaceFlags {
  readonly db?: string | undefined
  readonly local?: string | boolean | undefined
  readonly yes?: boolean | undefined
}

/** Opens a file of `svc local` that is there. @throws {Failure} */
export async function opened<File>(db: string, open: (db: string) => Promise<File>): Promise<File> {
  if (!existsSync(db)) throw new Failure(`there is no file ${db}: ${SVC} local --db ${db} makes it`)
  try {
    return await open(db)
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}
