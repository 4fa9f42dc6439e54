/*
 * What a process does not need at its start. In the published bundle each of these loads its module with the first call
 * (`scripts/bundle.mjs`).
 */
export { buildEngine } from './engine.ts'
export { propagateTo } from './outgoing.ts'
export { unseenLibraries } from './unseen-libraries.ts'
