import { createRequire } from 'node:module'
import { cases as shared } from '../ai-5/cases.mjs'

export { connect } from '../ai-5/cases.mjs'

const require = createRequire(import.meta.url)
export const load = {
  import: async (name) => ({ ...(await import(name)), ...(await import('@ai-sdk/openai')) }),
  require: (name) => ({ ...require(name), ...require('@ai-sdk/openai') }),
}

// Its loops do not tell a stream that they are left, and then there is no rest.
const { 'left, and the rest is wanted': _, ...others } = shared
export const cases = others
