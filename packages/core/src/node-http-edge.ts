import type { nodeHttp as make } from './node-http.ts'

/** Replaces node-http.ts in bundles for edge runtimes, which have `fetch` and no `node:http`. */
export const nodeHttp: typeof make = () => undefined
