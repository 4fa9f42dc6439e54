import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Until version 2 the package had an entry point for each of its parts, and now there is a package for each side.
 *
 * @param side what the cases of a library need, or one side of a connection alone
 */
export function partsOf(name, side = 'both') {
  if (name === 'mcp-2') {
    const client = [name, `${name}/stdio`]
    const server = ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio']
    return { client, server, both: [...client, server[0]] }[side]
  }
  const parts = {
    client: ['client/index', 'client/stdio', 'client/streamableHttp', 'inMemory', 'types'],
    server: ['server/mcp', 'server/stdio', 'server/streamableHttp'],
    both: ['client/index', 'client/sse', 'client/stdio', 'inMemory', 'server/index', 'types'].concat(
      name === 'mcp-1.0' ? [] : ['client/streamableHttp', 'experimental/tasks/stores/in-memory'],
    ),
  }[side]
  return parts.map((part) => `${name}/${part}.js`)
}

export const load = {
  import: async (name) => Object.assign({}, ...(await Promise.all(partsOf(name).map((part) => import(part))))),
  require: (name) => Object.assign({}, ...partsOf(name).map((part) => require(part))),
}
