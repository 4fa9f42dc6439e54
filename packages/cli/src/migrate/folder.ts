import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { messageOf } from '@svc/core/log'
import { Failure } from '../failure.ts'
import type { SourceFile } from '../files/source-file.ts'
import { writeFiles } from '../files/write-files.ts'

/** The folder of an app, for a command that reads it and then writes. Failures are those of the command. */
export class AppFolder {
  readonly path: string
  readonly #command: string

  /** @throws {Failure} if there is no such folder */
  constructor(command: string, dir: string) {
    this.#command = command
    this.path = resolve(dir)
    if (statSync(this.path, { throwIfNoEntry: false })?.isDirectory()) return
    throw this.failure(`${dir} is not a folder: expected the folder of an app.`)
  }

  /** Writes all of these files, or none. @throws {Failure} if they cannot be written */
  write(changes: readonly SourceFile[]): void {
    try {
      writeFiles(
        changes.map(({ path, text }) => ({ path: join(this.path, path), text })),
        'svc-migrate',
      )
    } catch (thrown) {
      throw this.failure(`${messageOf(thrown)}: nothing was changed.`)
    }
  }

  failure(message: string): Failure {
    return new Failure(`${this.#command}: ${message}`)
  }
}
