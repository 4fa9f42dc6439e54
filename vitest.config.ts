import { availableParallelism } from 'node:os'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'
import { RINGS } from './test/support/rings.ts'

// Unit tests read the sources; tests that start processes use what `tsc -b` built, and of the preload the bundle that is
// published.
const TEMPORARY_FOLDER = 'test/support/temporary-folder.ts'
const conditions = ['@svc/source', ...defaultServerConditions]

export default defineConfig({
  // Nest's decorators are the ones of TypeScript, not those of the language.
  oxc: { decorator: { legacy: true } },
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Many tests wait for a process that they started: on two cores a third worker has something to do meanwhile.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongFirst },
    // These end what hangs, and nothing else: on a busy machine a test may take ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 100_000 } },
    // Threads of `@svc/local` are sources as well. Node before 22.18 does not strip types by itself, and warns of it.
    execArgv: ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'],
    projects: RINGS.map((ring) => ({
      extends: true,
      test: {
        ...ring,
        globalSetup: /^(unit|long)/.test(ring.name) ? [TEMPORARY_FOLDER] : [TEMPORARY_FOLDER, 'test/support/bundle.ts'],
      },
    })),
  },
})
