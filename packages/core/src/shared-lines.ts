import { builtin } from './builtin.ts'
import * as SLOTS from './slots.ts'

/** More than there are lines that are told apart: that about the settings, and one for each package. */
const LINES = 64

/** Lets this thread and those that it starts from now on know which lines were printed. Loads `node:worker_threads`. */
export function shareLines(): Int32Array | undefined {
  const threads = builtin('node:worker_threads')
  if (!threads) return undefined
  const { getEnvironmentData, setEnvironmentData } = threads
  if (!(getEnvironmentData(SLOTS.SAID) instanceof SharedArrayBuffer))
    setEnvironmentData(SLOTS.SAID, new SharedArrayBuffer(LINES * 4))
  return new Int32Array(getEnvironmentData(SLOTS.SAID) as unknown as SharedArrayBuffer)
}

/** Returns true once for a process and its threads. */
export function isFirstLine(number: number): boolean {
  const printed = shareLines()
  return printed === undefined || Atomics.exchange(printed, number % printed.length, 1) === 0
}
