/**
 * Calls `work` for every item, at most `size` at a time: when one is done, the next starts. Results have the order of
 * the items. If one rejects, no further one starts; the pool rejects when the running ones are done.
 */
export async function inPool<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  let failure: { readonly error: unknown } | undefined
  const worker = async () => {
    // One iterator for all workers: each `next` takes an item that no other worker has.
    for (const [index, item] of left) {
      if (failure) return
      try {
        results[index] = await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(size, items.length) }, worker))
  if (failure) throw failure.error
  return results
}
