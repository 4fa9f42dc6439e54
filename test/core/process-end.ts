import { expect } from 'vitest'
import { startServer } from '../../packages/core/test/support/server.ts'
import { start } from './run.ts'

export interface Case {
  /** Sent when the program says that it is ready. */
  readonly signal?: NodeJS.Signals
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The program in `processes/`, with something to deliver to `server`. */
export const startEnd = (way: string, server: string, { flags = [], env = {} }: Case = {}) =>
  start('ends.mjs', [way], { flags, env: { ...env, SERVER: server } })

export async function end(way: string, server: string, { signal, ...options }: Case) {
  const program = startEnd(way, server, options)
  if (signal) await program.wrote('ready')
  if (signal) program.child.kill(signal)
  return program.ended
}

/** What arrives when a process ends that way. It ends as it does without us. */
export async function delivered(way: string, options: Case = {}): Promise<readonly string[]> {
  await using server = await startServer()
  const [bare, ours] = await Promise.all([end(way, '', options), end(way, server.url, options)])
  expect(ours).toEqual(bare)
  return server.bodies
}
