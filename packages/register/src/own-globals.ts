import { builtin } from '@svc/core/builtin'

/*
 * Globals of Node as the preload finds them: applications, and tests that imitate a browser, remove or replace them. The
 * modules of the published bundle take them from here (`scripts/bundle.mjs`).
 */

// One that imitates it, from a preload before ours, has no number.
const process = globalThis.process?.pid ? globalThis.process : builtin('node:process')
const { URL } = globalThis

/** The file of this module; one of its folder's, where an application has it in an ES module. */
const ownFile = typeof __filename === 'string' ? __filename : `${process?.cwd()}/bundle.js`

export { ownFile, process, URL }
