/*
 * Functions that a process does not need at startup. In the published bundle each of them loads its module on the first
 * call (`scripts/bundle.mjs`).
 */
export { contextBinding } from './context-binding.ts'
export { buildEngine } from './engine.ts'
export { mutedScopes } from './muted-scopes.ts'
export { propagateTo } from './outgoing.ts'
export { describeLate, describeOccupied, refused } from './provider-lines.ts'
export { unseenLibraries } from './unseen-libraries.ts'
