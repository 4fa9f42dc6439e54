import { inPool } from '@svc/core/pool'
import { Failure } from '../failure.ts'

const AT_ONCE = 6

/** Runs `work` for each of `items`, some concurrently. @throws {Failure} with the distinct lines of all failures */
export async function allOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const failed: Failure[] = []
  const done = await inPool(items, AT_ONCE, (item) =>
    work(item).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      failed.push(error)
    }),
  )
  if (failed.length > 0) throw new Failure(...new Set(failed.flatMap(({ lines }) => lines)))
  return done as R[]
}
