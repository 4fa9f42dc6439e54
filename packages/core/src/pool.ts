/**
 * Works through `items` with at most `size` at a time: as soon as one is done the next begins. Results keep the order
 * of the items. When one work rejects, no further one begins, those that run are waited for, and the pool rejects.
 */
export async function inPool<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  let failure: { readonly error: unknown } | undefined
  const worker = async () => {
    // One iterator for all workers: each `next` takes the item that nobody has yet.
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
