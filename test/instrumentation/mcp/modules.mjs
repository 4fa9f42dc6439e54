import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Until version 2 the package had an entry point for each of its parts. */
function partsOf(name) {
  if (name === 'mcp-2') return [name, `${name}/stdio`, '@modelcontextprotocol/server']
  const parts = ['client/index', 'client/sse', 'client/stdio', 'inMemory', 'server/index', 'types']
  const newer = name === 'mcp-1.0' ? [] : ['client/streamableHttp', 'experimental/tasks/stores/in-memory']
  return [...parts, ...newer].map((part) => `${name}/${part}.js`)
}

export const load = {
  import: async (name) => Object.assign({}, ...(await Promise.all(partsOf(name).map((part) => import(part))))),
  require: (name) => Object.assign({}, ...partsOf(name).map((part) => require(part))),
}
