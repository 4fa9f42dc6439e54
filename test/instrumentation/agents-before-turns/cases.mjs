import { createRequire } from 'node:module'

export { cases, connect } from '../agents/cases.mjs'

export const load = { import: (name) => import(name), require: createRequire(import.meta.url) }
