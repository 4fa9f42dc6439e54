import type * as Seal from './seal.ts'

// Loaded with the first request that a proxy of the application sends along or has identified: the bundle of an edge
// function has it beside it, and most never need it.
const loaded = () => import('./seal.ts')

/** Does what `seal` of seal.ts does. */
export const seal: typeof Seal.seal = async (...args) => (await loaded()).seal(...args)

/** Does what `unseal` of seal.ts does. */
export const unseal: typeof Seal.unseal = async (...args) => (await loaded()).unseal(...args)
