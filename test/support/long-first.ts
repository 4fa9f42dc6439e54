import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where the tests are that take longest, those that take longest first. */
export const LONG = [
  'test/next/next.test.ts',
  'test/faults/slow-faults.all.test.ts',
  'test/instrumentation/clients.all.test.ts',
  'test/instrumentation/frameworks.all.test.ts',
  'test/next/',
  'test/faults/',
  'test/packed/',
  'test/nest/',
  'test/preload/',
  'test/instrumentation/',
  'test/',
]

/**
 * Begins with the tests that take longest, so that no processor waits at the end for one of them. By itself vitest
 * begins with the largest files where it has no times of an earlier run, as in CI; here many a long test is a short file.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => placeOf(this.#pathOf(one)) - placeOf(this.#pathOf(other)))
  }

  #pathOf({ moduleId }: TestSpecification): string {
    return relative(this.ctx.config.root, moduleId).split(sep).join('/')
  }
}

/** The place of a test file among those that take long; behind all of them what is in none of those places. */
function placeOf(path: string): number {
  const place = LONG.findIndex((each) => path.startsWith(each))
  return place < 0 ? LONG.length : place
}
