/**
 * Whether this is a worker thread of Node. `node:worker_threads` is not loaded for this: it takes longer than everything
 * else at the start.
 */
export function isThread(): boolean {
  return typeof process === 'object' && Reflect.get(process.abort ?? {}, 'disabled') === true
}
