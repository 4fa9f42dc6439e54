import { createRequire } from 'node:module'

export { cases, connect } from '../ai-7/cases.mjs'

const require = createRequire(import.meta.url)
export const load = {
  import: async (name) => ({ ...(await import(name)), ...(await import('@ai-sdk/openai')) }),
  require: (name) => ({ ...require(name), ...require('@ai-sdk/openai') }),
}
