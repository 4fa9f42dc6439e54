import { createRequire } from 'node:module'

import { cases as shared, sinceSix } from '../ai-5/cases.mjs'

export { connect } from '../ai-5/cases.mjs'

const require = createRequire(import.meta.url)
export const load = {
  import: async (name) => ({ ...(await import(name)), ...(await import('@ai-sdk/openai')) }),
  require: (name) => ({ ...require(name), ...require('@ai-sdk/openai') }),
}

export const cases = { ...shared, ...sinceSix }
