/**
 * What the preload and the edge cost, without a clock: which files are loaded when, and the bytes of each, as the last
 * release had them. Until the first one: as they were on 2026-11-28.
 */
const LAST_RELEASE = {
  /** An empty worker thread. */
  thread: { 'index.cjs': 524, 'hot.cjs': 28_179 },
  /** On top of that, an empty program. */
  program: { 'plan.cjs': 16_584 },
  /** On top of a program, an ES module that imports `express` and `openai`. */
  app: { 'libraries.cjs': 27_370, 'prepare.cjs': 18_664 },
  /** On top of that, a call of a model: what records and delivers. */
  call: {
    'engine.cjs': 215_695,
    // What cleans foreign text. It was part of the engine, which a process that only logs a line does not load.
    'foreign-text.cjs': 241,
    'text.cjs': 7_275,
    'openai-instrument.cjs': 2_877,
    'recording.cjs': 73_816,
    'runtime.cjs': 20_827,
    'tool-run.cjs': 3_025,
    'transcriptions.cjs': 2_606,
    'unseen-libraries.cjs': 2_126,
  },
  /** The files that `npm i @svc/register` brings. */
  installed: 891_446,
  /** What `@svc/next` adds to a bundle for the edge, compressed. */
  edge: { route: 3_868, proxy: 4_809, action: 5_638 },
}

/** A tenth more than the last release. Who has to raise a limit says in the commit what it was raised for. */
export const BUDGET = {
  thread: limits(LAST_RELEASE.thread),
  start: limits({ ...LAST_RELEASE.thread, ...LAST_RELEASE.program }),
  app: limits(LAST_RELEASE.app),
  call: limits(LAST_RELEASE.call),
  installedBytes: limit(LAST_RELEASE.installed),
  /** Of `instrumentation.ts`, with everything that the edge runs. */
  edgeInstrumentation: 40_000,
  edge: limits(LAST_RELEASE.edge),
  /** What an empty program may load of Node beside what Node loads itself. */
  builtins: [] as string[],
  /** What an empty thread may load of Node. A process has these at its start. */
  threadBuiltins: ['module'],
  /** Packages that `npm i @svc/register` brings. */
  packages: 1,
}

function limits<Name extends string>(sizes: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(sizes).map(([name, bytes]) => [name, limit(bytes)])
  return Object.fromEntries(entries) as Record<Name, number>
}

function limit(bytes: number): number {
  return Math.floor(bytes * 1.1)
}
