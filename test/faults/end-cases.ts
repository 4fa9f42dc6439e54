import { type Case, DEADLINE_MS, type Expected } from './case.ts'
import type { Fault } from './fault.ts'
import { counted, NOWHERE, type Plan, type Run, run, runAgainst } from './run.ts'

const SPANS = 400
const make = { spans: SPANS }

interface Way extends Expected {
  readonly name: string
  readonly run: Run
}

const way = (name: string, plan: Omit<Plan, 'make'>, expected: Expected = {}, more: Partial<Run> = {}): Way => ({
  name,
  // Nothing is sent before the end: a batch that is on its way then is sent once more, and arrives twice.
  run: { plan: { make, ...plan }, env: { SVC_FLUSH_INTERVAL: '60' }, ...more },
  ...expected,
})
const signalled = (signal: NodeJS.Signals): Expected => ({ code: null, signal })

const WAYS: readonly Way[] = [
  way('the event loop runs dry', { end: 'naturally' }),
  way('process.exit(3)', { end: 'process.exit' }, { code: 3 }),
  way('an uncaught error', { end: 'a throw' }, { code: 1 }),
  way('an unhandled rejection', { end: 'a rejection' }, { code: 1 }),
  ...(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const).map((signal) =>
    way(signal, { end: 'a signal' }, signalled(signal), { signals: [signal] }),
  ),
  way('SIGTERM twice within 5 ms', { end: 'a signal' }, signalled('SIGTERM'), { signals: ['SIGTERM', 'SIGTERM'] }),
  way('SIGTERM, handled by process.exit(5)', { end: 'a handled signal' }, { code: 5 }, { signals: ['SIGTERM'] }),
  way('SIGTERM after a SIGINT that was ignored', { end: 'a signal after one that was ignored' }, signalled('SIGTERM'), {
    signals: ['SIGINT', 'SIGTERM'],
    between: 'ignored',
  }),
  way('shutdown() in a handler of SIGTERM', { end: 'a shutdown in a handler' }, { code: 6 }, { signals: ['SIGTERM'] }),
  way('node --watch starts it again', { end: 'a change of a watched file' }, {}, { flags: ['--watch'] }),
  way('SIGINT to a cluster of two', { end: 'a signal', shape: 'cluster' }, signalled('SIGINT'), {
    signals: ['SIGINT'],
  }),
  way('a worker thread ends', { end: 'naturally', shape: 'thread' }),
  way('process.exit() in a worker thread', { end: 'process.exit', shape: 'thread' }),
  way('an uncaught error in a worker thread', { end: 'a throw', shape: 'thread' }),
]

const HANGING: Fault = { reaction: { answer: 'none' } }
const spansOf = ({ run: { plan } }: Way) => SPANS * (plan.shape === 'cluster' ? 2 : 1)

export const END_CASES: readonly Case[] = WAYS.flatMap((each): readonly Case[] => {
  const { name, run: options, ...expected } = each
  const exitMs = DEADLINE_MS
  const lost = spansOf(each)
  return [
    {
      group: 'The process ends, the endpoint is well',
      name,
      expected: { ...expected, exitMs },
      run: (variant) => runAgainst(variant, {}, options),
    },
    {
      group: 'The process ends, nothing listens',
      name,
      expected: { ...expected, exitMs, lost },
      isTimed: true,
      run: async (variant) => counted(await run(variant, NOWHERE, options), NOWHERE),
    },
    {
      group: 'The process ends, the endpoint hangs',
      name,
      expected: { ...expected, exitMs, lost },
      isTimed: true,
      run: (variant) => runAgainst(variant, HANGING, options),
    },
  ]
})

const terminated: Run = {
  plan: { make, end: 'a signal', shape: 'thread', isTerminated: true },
  env: { SVC_FLUSH_INTERVAL: '60' },
  settleMs: 700,
}
const SLOW_ANSWER: Fault = { reaction: { afterMs: 3_000 } }

export const FLUSH_CASES: readonly Case[] = [
  {
    group: 'The app awaits delivery, the endpoint answers after 3 s',
    name: 'await forceFlush()',
    expected: { output: /went on/ },
    run: (variant) => runAgainst(variant, SLOW_ANSWER, { plan: { make, end: 'a flush' } }),
  },
  {
    group: 'The app awaits delivery, the endpoint answers after 3 s',
    name: 'await shutdown() with SVC_SHUTDOWN_TIMEOUT=60',
    expected: { output: /went on/ },
    run: (variant) =>
      runAgainst(variant, SLOW_ANSWER, { plan: { make, end: 'a shutdown' }, env: { SVC_SHUTDOWN_TIMEOUT: '60' } }),
  },
  {
    group: 'The app awaits delivery, the endpoint never answers',
    name: 'await shutdown()',
    expected: { output: /went on/, lost: SPANS },
    isTimed: true,
    run: (variant) => runAgainst(variant, HANGING, { plan: { make, end: 'a shutdown' } }),
  },
  {
    group: 'A worker thread is terminated half a second after its last span',
    name: 'the endpoint is well',
    expected: {},
    run: (variant) => runAgainst(variant, {}, terminated),
  },
  {
    group: 'A worker thread is terminated half a second after its last span',
    name: 'nothing listens',
    expected: { lost: SPANS, isMute: true },
    isTimed: true,
    run: async (variant) => counted(await run(variant, NOWHERE, terminated), NOWHERE),
  },
  {
    group: 'A worker thread is terminated half a second after its last span',
    name: 'the endpoint hangs',
    expected: { lost: SPANS, isMute: true },
    isTimed: true,
    run: (variant) => runAgainst(variant, HANGING, terminated),
  },
]
