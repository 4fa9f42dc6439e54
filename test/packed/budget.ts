/**
 * What the preload may cost, without a clock: which files are loaded when, and the bytes that each may have. Who has to
 * raise a limit says in the commit what it was raised for.
 */
export const BUDGET = {
  /** An empty program. */
  start: { 'index.cjs': 1_000, 'hot.cjs': 27_400, 'plan.cjs': 16_600 },
  /** An empty worker thread. */
  thread: { 'index.cjs': 1_000, 'hot.cjs': 27_400 },
  /** On top of a program, an ES module that imports `express` and `openai`. */
  app: { 'libraries.cjs': 28_000, 'prepare.cjs': 18_700 },
  /** On top of that, a call of a model: what records and delivers. */
  call: {
    'engine.cjs': 215_800,
    'openai-instrument.cjs': 4_000,
    'recording.cjs': 75_000,
    'runtime.cjs': 20_860,
    'tool-run.cjs': 4_000,
    'transcriptions.cjs': 4_000,
    'unseen-libraries.cjs': 3_000,
  },
  /** What an empty program may load of Node beside what Node loads itself. */
  builtins: [] as string[],
  /** What an empty thread may load of Node. A process has these at its start. */
  threadBuiltins: ['module'],
  /** Packages that `npm i @svc/register` brings. */
  packages: 1,
  /** Bytes of their files. */
  installedBytes: 2_000_000,
}
