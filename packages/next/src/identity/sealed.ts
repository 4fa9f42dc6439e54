import type * as Seal from './seal.ts'

// Loaded with the first request that a proxy of the application sends along or has identified: the bundle of an edge
// function has it beside it, and most never need it.
const loaded = () => import('./seal.ts')

/** Does what `seal` of seal.ts does. */
export const seal: typeof Seal.seal = (...args) => loaded().then((it) => it.seal(...args))

/** Does what `unseal` of seal.ts does; undefined, too, where that cannot be loaded. Never rejects. */
export const unseal: typeof Seal.unseal = (...args) =>
  loaded().then(
    (it) => it.unseal(...args),
    () => undefined,
  )
