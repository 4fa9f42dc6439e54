import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '@svc/core/log'
import { Failure } from '../failure.ts'

/** The folder of an app, for a command that reads all of it and then writes. Failures are those of the command. */
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

  /** @throws {Failure} if nothing could be written */
  write(work: () => void): void {
    try {
      work()
    } catch (thrown) {
      throw this.failure(`${messageOf(thrown)}: nothing was changed.`)
    }
  }

  failure(message: string): Failure {
    return new Failure(`${this.#command}: ${message}`)
  }
}
