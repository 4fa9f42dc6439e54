import { createRequire } from 'node:module'
import type { ModuleTarget } from '../hook/target.ts'

const require = createRequire(import.meta.url)

/** The `openai` package for `hookModules`. The class lives in `client` from version 5 on, in `index` before. */
export const openaiTarget: ModuleTarget = {
  package: 'openai',
  file: /^(index|client)\.m?js$/,
  versions: { from: '4.19.0', below: '8.0.0' },
  apply(exports) {
    const { instrumentOpenAI } = require('./instrument.js') as typeof import('./instrument.ts')
    instrumentOpenAI(exports)
  },
}
