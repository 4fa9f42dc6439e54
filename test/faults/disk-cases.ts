import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Case, DEADLINE_MS, type Expected } from './case.ts'
import type { Fault } from './fault.ts'
import { type FaultyIntake, startFaultyIntake } from './intake.ts'
import { counted, type Outcome, type Result, type Run, run, type Variant } from './run.ts'

const SPANS = 1_000
const make = { spans: SPANS, size: 'llm' } as const
const DIES: Run = { plan: { make, end: 'process.exit' } }
/** The next start of the application: it makes nothing, and lives until everything is there. */
const NEXT: Run = { plan: { make: { spans: 0 }, end: 'when told' }, settleMs: 10_000 }
const ALWAYS = { SVC_OTEL_SPOOL: 'always' }

/** Runs something with a folder for the spool, which is gone afterwards. */
async function withSpool<T>(work: (env: Readonly<Record<string, string>>, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-spool-'))
  try {
    return await work({ SVC_OTEL_SPOOL_DIR: folder }, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withIntake<T>(fault: Fault, work: (intake: FaultyIntake) => Promise<T>): Promise<T> {
  const intake = await startFaultyIntake(fault)
  try {
    return await work(intake)
  } finally {
    await intake.close()
  }
}

const spooled = (name: string, expected: Expected, work: Case['run'], isSlow = false): Case => ({
  group: 'With a spool (SVC_OTEL_SPOOL_DIR)',
  name,
  expected,
  run: work,
  isSlow,
  isOurs: true,
})

/** It lives, and the endpoint comes back. */
const lives = (variant: Variant, fault: Fault, options: Run): Promise<Result> =>
  withSpool((env) =>
    withIntake(fault, async (intake) =>
      counted(await run(variant, intake, { settleMs: 40_000, ...options, env: { ...options.env, ...env } }), intake),
    ),
  )

/** It ends while nothing listens, and starts once more when something does. */
const startsAgain = (
  variant: Variant,
  first: Run,
  between: (files: readonly string[]) => void = () => {},
): Promise<Result> =>
  withSpool((env, folder) =>
    withIntake({ downFor: Number.POSITIVE_INFINITY }, async (intake) => {
      const before = await run('svc', intake, { ...first, env: { ...first.env, ...env } })
      between(readdirSync(folder).map((name) => join(folder, name)))
      return sentByNext(variant, intake, before, env)
    }),
  )

/** What another start sends of what was left. */
async function sentByNext(
  variant: Variant,
  intake: FaultyIntake,
  before: Outcome,
  env: Readonly<Record<string, string>>,
): Promise<Result> {
  await intake.open()
  const after = await run(variant, intake, { ...NEXT, owed: before.made - before.reported, env })
  return counted(
    { ...before, reported: before.reported + after.reported, stderr: before.stderr + after.stderr },
    intake,
  )
}

const KILL: Run = { plan: { make, end: 'a kill' } }
const KILLED = { code: null, signal: 'SIGKILL', isMute: true, mayDuplicate: true } as const

export const DISK_CASES: readonly Case[] = [
  spooled('process.exit() while nothing listens; the next start sends', { code: 3, exitMs: DEADLINE_MS }, (variant) =>
    startsAgain(variant, DIES),
  ),
  spooled(
    'SIGTERM while nothing listens; the next start sends',
    { code: null, signal: 'SIGTERM', exitMs: DEADLINE_MS },
    (variant) => startsAgain(variant, { plan: { make, end: 'a signal' }, signals: ['SIGTERM'] }),
  ),
  spooled('nothing listens for longer than spans are tried', {}, (variant) =>
    lives(
      variant,
      { downFor: 5_000 },
      {
        plan: { make: { spans: SPANS, perSecond: 500, size: 'llm' }, end: 'when told' },
        env: { SVC_OTEL_MAX_RETRY_AGE: '1' },
      },
    ),
  ),
  spooled('nothing listens, and memory has no room', {}, (variant) =>
    lives(
      variant,
      { downFor: 5_000 },
      {
        plan: { make: { spans: 4_000, perSecond: 1_000, size: 'random' }, end: 'when told' },
        env: { SVC_OTEL_MAX_QUEUE_BYTES: '4000000', SVC_FLUSH_AT: '50' },
      },
    ),
  ),
  spooled('two processes share the folder; the next start sends for both', { code: 3 }, (variant) =>
    withSpool((env) =>
      withIntake({ downFor: Number.POSITIVE_INFINITY }, async (intake) => {
        const ends = (first: number) => run('svc', intake, { ...DIES, plan: { ...DIES.plan, first }, env })
        const [one, two] = await Promise.all([ends(0), ends(SPANS)])
        const both = {
          ...one,
          made: one.made + two.made,
          reported: one.reported + two.reported,
          stderr: one.stderr + two.stderr,
        }
        return sentByNext(variant, intake, both, env)
      }),
    ),
  ),
  spooled('a record is overwritten: the others are sent', { code: 3, lost: SPANS / 2 }, (variant) =>
    startsAgain(variant, DIES, ([file = '']) => {
      const bytes = readFileSync(file)
      bytes.fill(0, 1_000, 1_100)
      writeFileSync(file, bytes)
    }),
  ),
  spooled('a file is torn: what is whole is sent', { code: 3, lost: SPANS / 2 }, (variant) =>
    startsAgain(variant, DIES, ([file = '']) => truncateSync(file, readFileSync(file).length - 1_000)),
  ),
  // A batch has some 50 KB: there is room for one.
  spooled('the disk is full after the first batch', { code: 3, lost: (SPANS * 3) / 4 }, (variant) =>
    startsAgain(variant, { ...DIES, maxFileBlocks: 150 }),
  ),
  spooled('SIGKILL 200 ms after the last span, SVC_OTEL_SPOOL=always', KILLED, (variant) =>
    startsAgain(variant, { ...KILL, env: ALWAYS }),
  ),
  spooled(
    'out of memory, SVC_OTEL_SPOOL=always',
    { ...KILLED, signal: 'SIGABRT' },
    (variant) =>
      startsAgain(variant, { plan: { make, end: 'out of memory' }, flags: ['--max-old-space-size=64'], env: ALWAYS }),
    true,
  ),
]

export const KILL_CASES: readonly Case[] = [
  {
    group: 'Killed: no code can run',
    name: 'SIGKILL 200 ms after the last span',
    expected: { ...KILLED, lost: SPANS },
    run: (variant) => withIntake({}, async (intake) => counted(await run(variant, intake, KILL), intake)),
  },
]
