import { ISOLATED, STARTING } from './isolated.ts'

const LONG = 'packages/*/src/**/*.long.test.ts'
const LARGEST = '**/*.all.test.ts'
const APPLICATIONS = '**/*.apps.test.ts'
const [isolatedUnits, isolatedPromises] = [true, false].map((unit) =>
  ISOLATED.filter((pattern) => pattern.startsWith('packages/') === unit),
) as [string[], string[]]

/** Files that share processes. */
const SHARED = { isolate: false, setupFiles: ['test/support/leftovers.ts'] }
const STARTED = { isolate: false, setupFiles: [...SHARED.setupFiles, 'test/support/registered.ts'] }

/** Files that start programs. */
const PROGRAMS = ['test/support/programs.ts']
const ALONE = { isolate: true, setupFiles: PROGRAMS }
const LARGE = { ...ALONE, setupFiles: ['test/support/own-folder.ts', ...PROGRAMS] }

/**
 * The rings of the tests. A file's place and name say which one it is in: beside its source (`unit`, or `long` if it is
 * named `.long.test.ts`), in `test/` (`promises`), or named `.all.test.ts` (`all`) or `.apps.test.ts` (`apps`). Isolated
 * units and promises are projects of their own, and so are the units that start something.
 */
export const RINGS = [
  { name: 'unit', include: ['packages/*/src/**/*.test.ts', ...not([LONG, ...isolatedUnits, ...STARTING])], ...SHARED },
  { name: 'unit-starting', include: [...STARTING, ...not(isolatedUnits)], ...STARTED },
  { name: 'unit-isolated', include: [...isolatedUnits, ...not([LONG])], isolate: true, pool: 'threads' as const },
  {
    name: 'promises',
    include: ['test/**/*.test.ts', ...not([LARGEST, APPLICATIONS, ...isolatedPromises])],
    ...SHARED,
    setupFiles: [...SHARED.setupFiles, ...PROGRAMS],
  },
  { name: 'promises-isolated', include: [...isolatedPromises, ...not([LARGEST, APPLICATIONS])], ...ALONE },
  { name: 'long', include: [LONG], isolate: true, pool: 'threads' as const },
  { name: 'all', include: [`test/${LARGEST}`], ...LARGE },
  { name: 'apps', include: [`test/${APPLICATIONS}`], ...LARGE },
]

/** As patterns, because an `exclude` of a project would take the place of `--exclude`. */
function not(patterns: readonly string[]): string[] {
  return patterns.map((pattern) => `!${pattern}`)
}
