import { createRequire } from 'node:module'

/** Versions have a folder each: a peer is found by its own name only. */
const FOLDERS = { 'core-0.3.80': 'v0', 'core-1': 'v1' }
const PACKAGES = [
  '@langchain/core/caches',
  '@langchain/core/callbacks/manager',
  '@langchain/core/documents',
  '@langchain/core/messages',
  '@langchain/core/output_parsers',
  '@langchain/core/prompts',
  '@langchain/core/retrievers',
  '@langchain/core/runnables',
  '@langchain/core/tools',
  '@langchain/core/vectorstores',
  '@langchain/langgraph',
  '@langchain/langgraph/prebuilt',
  '@langchain/openai',
]
/** What two of them call the same is that of the later one. */
export const BEFORE_1 = ['zod', 'langchain/agents', 'langchain/chains', ...PACKAGES]
const FROM_1 = ['zod', '@langchain/anthropic', 'langchain', ...PACKAGES]

export const load = {
  async import(name) {
    const { default: load } = await import(`./${FOLDERS[name]}/load.mjs`)
    return together(await Promise.all(packagesOf(name).map(load)))
  },
  require(name) {
    return together(packagesOf(name).map(createRequire(new URL(`${FOLDERS[name]}/`, import.meta.url))))
  },
}

function packagesOf(name) {
  return FOLDERS[name] === 'v1' ? FROM_1 : BEFORE_1
}

export function together(modules) {
  return Object.assign({}, ...modules)
}
