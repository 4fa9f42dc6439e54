import { availableParallelism } from 'node:os'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { ISOLATED } from './test/support/isolated.ts'
import { LongFirst } from './test/support/long-first.ts'

// Unit tests read the sources; tests that start processes use what `tsc -b` built, and of the preload the bundle that is
// published.
const conditions = ['@svc/source', ...defaultServerConditions]
const include = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']

export default defineConfig({
  // Nest's decorators are the ones of TypeScript, not those of the language.
  oxc: { decorator: { legacy: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ['test/support/temporary-folder.ts', 'test/support/bundle.ts'],
    // Many tests wait for a process they started, or for a time to pass: on two cores a third worker has something to do
    // meanwhile. With a fourth, tests of what happens within seconds fail by turns.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongFirst },
    // These end what hangs, and nothing else: on a busy machine a test may take ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    projects: [
      // As patterns, because an `exclude` of its own would take the place of `--exclude`.
      {
        extends: true,
        test: { name: 'shared', include: [...include, ...ISOLATED.map((each) => `!${each}`)], isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
  },
})
