import { hostProcess } from './host-process.ts'

/**
 * Whether this is a worker thread of Node. `node:worker_threads` is not loaded for this: it takes longer than everything
 * else at the start.
 */
export function isThread(host = hostProcess()): boolean {
  // Next warns of `process.abort` in what it bundles for the edge.
  return Reflect.get(host?.abort ?? {}, 'disabled') === true
}
