import { Failure } from '../failure.ts'

const AT_ONCE = 6

/** Runs `work` for each of `items`, some concurrently. @throws {Failure} with the distinct lines of all failures */
export async function allOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  const failed: Failure[] = []
  const waiting = [...items.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, item] = next
      try {
        done[at] = await work(item)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failed.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (failed.length > 0) throw new Failure(...new Set(failed.flatMap(({ lines }) => lines)))
  return done
}
