// The first version that is understood counts no parts of tokens, and tells parameters that nobody gave.
import { createRequire } from 'node:module'
import { BEFORE_1, together } from '../langchain/modules.mjs'

export { cases, connect } from '../langchain/cases.mjs'

export const load = {
  import: async () => together(await Promise.all(BEFORE_1.map((name) => import(name)))),
  require: () => together(BEFORE_1.map(createRequire(import.meta.url))),
}
