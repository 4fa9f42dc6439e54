import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PUBLISHED } from '../support/run.ts'
import type { Fault } from './fault.ts'
import { type FaultyIntake, startFaultyIntake } from './intake.ts'

/**
 * Ours as it comes, ours with deadlines that a busy machine keeps, the same by a clock that is {@link SPEED} times as fast,
 * or stock OpenTelemetry.
 */
export type Variant = 'svc' | 'patient' | 'fast' | 'stock'

const SPEED = 10
const patient = (seconds: number) => ({ SVC_TIMEOUT: String(seconds), SVC_SHUTDOWN_TIMEOUT: String(seconds) })
const ENVIRONMENTS: Readonly<Record<Variant, Readonly<Record<string, string>>>> = {
  svc: {},
  patient: patient(60),
  fast: { ...patient(300), CLOCK_SPEED: String(SPEED) },
  stock: {},
}
/** Milliseconds that a busy machine may take to deliver, or to say what it lost. */
const PATIENCE_MS = 120_000

type Size = 'small' | 'llm' | 'random' | 'huge'

/** What the application does: see `apps/app.mjs`. */
export interface Plan {
  readonly make: { readonly spans: number; readonly perSecond?: number; readonly size?: Size }
  readonly end: string
  readonly shape?: 'thread' | 'cluster'
  readonly first?: number
  /** Its thread is terminated when it is told to end. */
  readonly isTerminated?: boolean
}

/** One run of the application. */
export interface Run {
  readonly plan: Plan
  readonly env?: Readonly<Record<string, string>>
  /** Flags of Node, before the preload. */
  readonly flags?: readonly string[]
  /** Sent once the application is ready, one after the other. */
  readonly signals?: readonly NodeJS.Signals[]
  /** The line that it prints between them. Default: 5 ms. */
  readonly between?: string
  /** Largest file that it may write, in blocks of 512 bytes: what does not fit is refused as by a full disk. */
  readonly maxFileBlocks?: number
  /** Milliseconds that it may take until each span has arrived or is said to be lost; then it is told to end. */
  readonly settleMs?: number
  /** Spans of earlier processes that it is to send as well. */
  readonly owed?: number
}

/** What became of it. */
export interface Outcome {
  readonly made: number
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Spans that the user was told are lost. */
  readonly reported: number
  /** Milliseconds from where the application ends, or the last signal, to the end of the process. */
  readonly exitMs: number
  readonly stdout: string
  readonly stderr: string
}

/** Milliseconds after which an application that was told to end never does. */
export const NEVER_MS = 60_000

const APPS = fileURLToPath(new URL('./apps/', import.meta.url))
/** The flags of Node for a clock of its own. */
export const CLOCK = ['--import', `${APPS}clock.mjs`]

/** Runs the application against an intake, under one of the preloads. */
export async function run(variant: Variant, intake: Pick<FaultyIntake, 'url' | 'has'>, options: Run): Promise<Outcome> {
  const { plan, env = {}, flags = [], signals = [], between, settleMs = 0, owed = 0, maxFileBlocks } = options
  const watched = join(tmpdir(), `svc-watched-${randomUUID()}.mjs`)
  const preload = variant === 'stock' ? `${APPS}stock.mjs` : '@svc/register'
  const all = [PUBLISHED, ...flags, ...(variant === 'fast' ? CLOCK : []), '--import', preload]
  const node = [process.execPath, ...all, `${APPS}app.mjs`, JSON.stringify(plan)]
  const limited = ['sh', '-c', `ulimit -f ${maxFileBlocks}; exec "$@"`, 'sh', ...node]
  const [command = '', ...args] = maxFileBlocks ? limited : node
  const child = spawn(command, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that a signal of the terminal can be sent to all of it.
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SVC_PUBLIC_KEY: 'pk',
      SVC_SECRET_KEY: 'sk',
      SVC_BASE_URL: intake.url,
      SVC_FLUSH_INTERVAL: '1',
      WATCHED: watched,
      ...ENVIRONMENTS[variant],
      ...env,
    } as unknown as NodeJS.ProcessEnv,
  })
  let made = 0
  let ended = Number.NaN
  const lines = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  const wanted = plan.shape === 'cluster' ? 2 : 1
  const count = (line: string) => lines.stdout.split('\n').filter((each) => each === line).length
  const reported = () => {
    const all = lines.stderr.matchAll(/(\d+) spans? (?:is|are) lost/g)
    return [...all].reduce((sum, [, n]) => sum + Number(n), 0)
  }
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.stdout += `${line}\n`
    const [word, value] = line.split(' ')
    if (word === 'made') made = Number(value)
    if (word === 'ends') ended = Number(value)
    for (const listener of listeners) listener()
  })
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.stderr += `${line}\n`
    for (const listener of listeners) listener()
  })
  const closed = once(child, 'close')
  const until = (holds: () => boolean) =>
    Promise.race([
      closed,
      new Promise<void>((resolve) => {
        const check = () => holds() && resolve()
        listeners.add(check)
        check()
      }),
    ])
  await until(() => count('ready') >= wanted)
  if (settleMs > 0) {
    const ms = variant === 'patient' || variant === 'fast' ? Math.max(settleMs, PATIENCE_MS) : settleMs
    // Asked again for fewer, whenever some are said to be lost.
    const settled = new Promise((resolve) => {
      let asked = Number.POSITIVE_INFINITY
      const ask = () => {
        const expected = made + owed - reported()
        if (expected < asked) void intake.has(expected, ms).then(resolve)
        asked = Math.min(asked, expected)
      }
      listeners.add(ask)
      ask()
    })
    await Promise.race([settled, closed])
  }
  child.stdin.end()
  const never = settleMs > 0 ? setTimeout(() => child.kill('SIGKILL'), NEVER_MS) : undefined
  for (const [at, signal] of signals.entries()) {
    if (at > 0) await (between ? until(() => count(between) > 0) : new Promise((resolve) => setTimeout(resolve, 5)))
    if (child.exitCode !== null || child.signalCode !== null) break
    ended = Date.now()
    process.kill(plan.shape === 'cluster' ? -(child.pid as number) : (child.pid as number), signal)
  }
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null]
  clearTimeout(never)
  rmSync(watched, { force: true })
  const exitMs = Date.now() - ended
  return { made: made * wanted, code, signal, reported: reported(), exitMs, ...lines }
}

/** What became of it, and of its spans. */
export interface Result extends Outcome {
  readonly arrived: number
  /** Spans that arrived more than once, counted each time after the first. */
  readonly duplicates: number
  readonly lost: number
  /** What else there is to say of it. */
  readonly note?: string
}

/** The same against an intake with a fault, which is counted. */
export async function runAgainst(variant: Variant, fault: Fault, options: Run): Promise<Result> {
  const intake = await startFaultyIntake(variant === 'fast' ? { ...fault, speed: SPEED } : fault)
  try {
    return await counted(await run(variant, intake, options), intake)
  } finally {
    await intake.close()
  }
}

/** Closes the intake, and counts what it took. */
export async function counted(
  outcome: Outcome,
  { taken, close }: Pick<FaultyIntake, 'taken' | 'close'>,
): Promise<Result> {
  await close()
  const arrived = taken.size
  const duplicates = [...taken.values()].reduce((sum, times) => sum + times - 1, 0)
  return { ...outcome, arrived, duplicates, lost: outcome.made - arrived }
}

/** Where nothing listens. */
export const NOWHERE = {
  url: 'http://127.0.0.1:1',
  has: async () => false,
  taken: new Map<string, number>(),
  close: async () => {},
}
