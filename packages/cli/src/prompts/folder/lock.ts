import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../failure.ts'
import { Mistake } from '../mistake.ts'
import { shownPath } from './folder.ts'

/** The version of a prompt file, at the last pull or push. */
export interface Locked {
  /** Path of the file in the folder. */
  readonly file: string
  readonly version: number
  /** The newest version at that time: newer ones were created by other people. */
  readonly latest: number
  /** The label that pull and check use. */
  readonly label: string
  readonly labels: readonly string[]
  /** Hash of the content. */
  readonly hash: string
  /** Set if the prompt includes other prompts, so that the file differs from the result of `prompt.get`. */
  readonly refersToOthers?: true
}

/** The entries of the lock file by prompt name. */
export type Lock = ReadonlyMap<string, Locked>

export const LOCK_FILE = 'prompts.lock.json'
const LOCK_VERSION = 1
const MOST_BYTES = 67_108_864

/** @throws {Failure} if the file is invalid; with the position if it is not JSON */
export function readLock(dir: string): Lock {
  const source = readText(join(dir, LOCK_FILE))
  if (source === undefined) return new Map()
  const shown = shownPath(dir, LOCK_FILE)
  const { lockVersion, prompts } = fieldsOf(source, shown)
  if (lockVersion !== LOCK_VERSION || typeof prompts !== 'object' || prompts === null) {
    throw new Failure(
      `${shown} has lockVersion ${JSON.stringify(lockVersion)}, expected ${LOCK_VERSION}: update @svc/cli`,
    )
  }
  const entries = Object.entries(prompts)
  const wrong = entries.find(([, locked]) => !isLocked(locked))
  if (wrong) throw new Failure(`${shown}: the entry ${JSON.stringify(wrong[0])} is invalid: ${REMEDY}`)
  return new Map(entries)
}

export function formatLock(lock: Lock): string {
  const prompts = Object.fromEntries([...lock].sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify({ lockVersion: LOCK_VERSION, prompts }, undefined, 2)}\n`
}

const REMEDY = 'restore it from version control, or delete it and pull again with --force'

function fieldsOf(source: string, file: string): { lockVersion?: unknown; prompts?: unknown } {
  try {
    return Object(JSON.parse(source)) as object
  } catch (error) {
    const { message } = error as SyntaxError
    const [, line = 1, column = 1] = /line (\d+) column (\d+)/.exec(message) ?? []
    const reason = message.replace(/ ?\(?\.{0,3}line \d+ column \d+\)?/, '')
    throw new Mistake(file, { line: Number(line), column: Number(column) }, `${reason}: ${REMEDY}`)
  }
}

function isLocked(locked: unknown): locked is Locked {
  if (typeof locked !== 'object' || locked === null) return false
  const { file, version, latest, label, labels, hash } = locked as Partial<Record<keyof Locked, unknown>>
  const texts = [file, label, hash].every((each) => typeof each === 'string')
  return texts && Array.isArray(labels) && [version, latest].every((each) => Number.isSafeInteger(each))
}

function readText(path: string): string | undefined {
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > MOST_BYTES)
      throw new Failure(`${path} is no file, or larger than 64 MB: ${REMEDY}`)
    // Without the byte order mark that some editors add.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
