import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PUBLISHED } from '../support/run.ts'
import { type Fault, type FaultyIntake, startFaultyIntake } from './intake.ts'

export const VARIANTS = ['svc', 'stock'] as const
export type Variant = (typeof VARIANTS)[number]

type Size = 'small' | 'llm' | 'random' | 'huge'

/** What the application does: see `apps/app.mjs`. */
export interface Plan {
  readonly make: { readonly spans: number; readonly perSecond?: number; readonly size?: Size }
  readonly end: string
  readonly shape?: 'thread' | 'cluster'
  readonly first?: number
  readonly terminatesAfter?: number
}

/** One run of the application. */
export interface Run {
  readonly plan: Plan
  readonly env?: Readonly<Record<string, string>>
  /** Flags of Node, before the preload. */
  readonly flags?: readonly string[]
  /** Sent once the application is ready, one after the other. */
  readonly signals?: readonly NodeJS.Signals[]
  /** Milliseconds before the first, and between them. */
  readonly delayMs?: number
  readonly pauseMs?: number
  /** Largest file that it may write, in blocks of 512 bytes: what does not fit is refused as by a full disk. */
  readonly maxFileBlocks?: number
  /** Milliseconds that it may take until all spans have arrived; then it is told to end. Only for `when told`. */
  readonly settleMs?: number
  /** Spans that are not waited for. */
  readonly losing?: number
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

/** Runs the application against an intake, under one of the preloads. */
export async function run(variant: Variant, intake: Pick<FaultyIntake, 'url' | 'has'>, options: Run): Promise<Outcome> {
  const {
    plan,
    env = {},
    flags = [],
    signals = [],
    delayMs = 0,
    pauseMs = 5,
    settleMs = 0,
    losing = 0,
    maxFileBlocks,
  } = options
  const preload = variant === 'svc' ? '@svc/register' : `${APPS}stock.mjs`
  const node = [process.execPath, PUBLISHED, ...flags, '--import', preload, `${APPS}app.mjs`, JSON.stringify(plan)]
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
      ...env,
    } as unknown as NodeJS.ProcessEnv,
  })
  let made = 0
  let ended = Number.NaN
  const lines = { stdout: '', stderr: '' }
  const readies = new Set<() => void>()
  let ready = 0
  const wanted = plan.shape === 'cluster' ? 2 : 1
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.stdout += `${line}\n`
    const [word, value] = line.split(' ')
    if (word === 'made') made = Number(value)
    if (word === 'ends') ended = Number(value)
    if (word === 'ready' && ++ready >= wanted) for (const tell of readies) tell()
  })
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.stderr += `${line}\n`
  })
  const closed = once(child, 'close')
  const isReady = new Promise<void>((resolve) => readies.add(resolve))
  await Promise.race([isReady, closed])
  if (settleMs > 0) await Promise.race([intake.has(made - losing, settleMs), closed])
  child.stdin.end()
  const never = settleMs > 0 ? setTimeout(() => child.kill('SIGKILL'), NEVER_MS) : undefined
  for (const [at, signal] of signals.entries()) {
    await new Promise((resolve) => setTimeout(resolve, at > 0 ? pauseMs : delayMs))
    if (child.exitCode !== null || child.signalCode !== null) break
    ended = Date.now()
    process.kill(plan.shape === 'cluster' ? -(child.pid as number) : (child.pid as number), signal)
  }
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null]
  clearTimeout(never)
  const exitMs = Date.now() - ended
  const reported = [...lines.stderr.matchAll(/(\d+) spans? (?:is|are) lost/g)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  )
  return { made: made * wanted, code, signal, reported, exitMs, ...lines }
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
  const intake = await startFaultyIntake(fault)
  try {
    return counted(await run(variant, intake, options), intake)
  } finally {
    await intake.close()
  }
}

export function counted(outcome: Outcome, { taken }: Pick<FaultyIntake, 'taken'>): Result {
  const arrived = taken.size
  const duplicates = [...taken.values()].reduce((sum, times) => sum + times - 1, 0)
  return { ...outcome, arrived, duplicates, lost: outcome.made - arrived }
}

/** Where nothing listens. */
export const NOWHERE = { url: 'http://127.0.0.1:1', has: async () => false, taken: new Map<string, number>() }
