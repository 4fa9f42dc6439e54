import { fileURLToPath } from 'node:url'
import type { LocalService } from '@svc/local'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Program, startNode } from '../support/run.ts'
import { startPatient } from '../support/service.ts'

/** Processes of `apps/end.mjs`, which score and end in each way that a process can end. */

export const PRELOAD = ['--import', '@svc/register']

const app = fileURLToPath(new URL('./apps/end.mjs', import.meta.url))
const cwd = fileURLToPath(new URL('.', import.meta.url))

export interface WayOptions {
  readonly preload?: readonly string[]
  readonly signals?: readonly NodeJS.Signals[]
  readonly env?: Readonly<Record<string, string>>
}

/** A way to end: what the process gets, how it ends without svc, and its scores. */
export interface Way extends WayOptions {
  readonly code?: number | null
  readonly signal?: NodeJS.Signals
  readonly stdout?: string
  readonly scores?: readonly string[]
}

/** One service for the tests of a file. */
export function useEnds() {
  let local: LocalService
  let runs = 0
  beforeAll(async () => {
    local = await startPatient()
  })
  afterAll(() => local.close())

  const namesOf = (environment: string) =>
    local
      .scores()
      .filter((score) => score.environment === environment)
      .map(({ name }) => name)
      .toSorted()

  /** Starts a process that has scored. */
  async function start(way: string, { preload = [], env }: WayOptions = {}): Promise<Program> {
    const program = startNode([...preload, app, way], { cwd, env: { ...local.env, ...env } })
    await program.printed(/scored/)
    return program
  }

  /** Runs a process to its end: how it ended, what it complained about, and which scores arrived. */
  async function end(way: string, { signals = [], env, ...options }: WayOptions = {}) {
    runs += 1
    const environment = `run-${runs}`
    const program = await start(way, { ...options, env: { SVC_TRACING_ENVIRONMENT: environment, ...env } })
    for (const signal of signals) program.kill(signal)
    const { code, signal, stdout, stderr } = await program.ended
    return { ended: { code, signal, stdout }, stderr, arrived: namesOf(environment) }
  }

  async function expectEnd(name: string, way: Way): Promise<void> {
    const { signal = null, code = signal ? null : 0, stdout = 'scored\n', scores = ['first'] } = way
    const ended = await end(name, way)
    expect(ended).toEqual({ ended: { code, signal, stdout }, stderr: '', arrived: scores })
  }

  return {
    get local() {
      return local
    },
    namesOf,
    start,
    end,
    expectEnd,
  }
}

/** Where the service takes every request and answers none: longer than any test lasts. */
export const HANGING = { SVC_SHUTDOWN_TIMEOUT: '0.3', SVC_TIMEOUT: '600' }
export const GAVE_UP = /gave up on the last scores: http:\S+ did not accept them within 0\.3 s \(SVC_SHUTDOWN_TIMEOUT\)/
