/**
 * What the preload and the edge cost, without a clock: which files are loaded when, and the bytes of each, as the last
 * release had them. Until the first one: as they were on 2026-11-28, but for what has moved to a later stage since.
 */
const LAST_RELEASE = {
  /** An empty program, or worker thread: the first stage of a start. */
  start: { 'index.js': 351, 'preload.js': 42_000 },
  /** On top of that, a program that loads a library whose calls are recorded: the second. */
  library: {
    'common.js': 88_900,
    'engine.js': 33_000,
    'recording.js': 120_000,
    'openai.js': 6_200,
    'ended.js': 12_300,
  },
  /** On top of the start, a program that answers a request. */
  request: { 'common.js': 88_900, 'engine.js': 33_000, 'runtime.js': 112_800, 'spans.js': 10_500 },
  /** On top of that, the first batch of spans. */
  batch: { 'sending.js': 132_500 },
  /** On top of all that, a program that logs a line. */
  line: { 'foreign-text.js': 180 },
  /** The files that `npm i @svc/register` brings. */
  installed: 1_060_000,
  /** What `@svc/next` adds to a bundle for the edge, compressed. */
  edge: { route: 4_000, proxy: 4_900, action: 6_211 },
}

/** A tenth more than the last release. Who has to raise a limit says in the commit what it was raised for. */
export const BUDGET = {
  start: limits(LAST_RELEASE.start),
  library: limits(LAST_RELEASE.library),
  request: limits(LAST_RELEASE.request),
  batch: limits(LAST_RELEASE.batch),
  line: limits(LAST_RELEASE.line),
  installedBytes: limit(LAST_RELEASE.installed),
  /** Of `instrumentation.ts`, with everything that the edge runs without being asked for more. */
  edgeInstrumentation: 40_960,
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
