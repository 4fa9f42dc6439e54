import { createRequire } from 'node:module'
import { errorOf, fiftyAtOnce, shapeOf } from '../harness/kit.mjs'

const require = createRequire(import.meta.url)

// The package has entry points for each of its parts.
export const load = {
  import: async (name) => ({
    ...(await import(`${name}/client/index.js`)),
    ...(await import(`${name}/inMemory.js`)),
    ...(await import(`${name}/server/index.js`)),
    ...(await import(`${name}/types.js`)),
  }),
  require: (name) => ({
    ...require(`${name}/client/index.js`),
    ...require(`${name}/inMemory.js`),
    ...require(`${name}/server/index.js`),
    ...require(`${name}/types.js`),
  }),
}

const WEATHER = {
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const TOOLS = {
  weather: ({ city }) => ({ content: [{ type: 'text', text: `sunny in ${city}` }] }),
  typed: () => ({ content: [{ type: 'text', text: '{"degrees":21}' }], structuredContent: { degrees: 21 } }),
  picture: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] }),
  broken: () => ({ isError: true, content: [{ type: 'text', text: 'no such city' }] }),
  silent: () => new Promise(() => {}),
}

export function connect({
  exports: { Client, InMemoryTransport, Server, CallToolRequestSchema, ListToolsRequestSchema },
}) {
  const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [WEATHER] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = TOOLS[params.name]
    if (!tool) throw new Error('no such tool')
    return tool(params.arguments)
  })
  const client = new Client({ name: 'application', version: '1.0.0' }, { capabilities: {} })
  const [near, far] = InMemoryTransport.createLinkedPair()
  return Promise.all([server.connect(far), client.connect(near)]).then(() => client)
}

const call = async ({ client }, name, args = {}, options = undefined) =>
  (await client).callTool({ name, arguments: args }, undefined, options)

export const cases = {
  plain: (kit) => call(kit, 'weather', { city: 'Paris' }),
  'structured output': (kit) => call(kit, 'typed'),
  'a picture': (kit) => call(kit, 'picture'),
  'a tool that fails': (kit) => call(kit, 'broken', { city: 'Nowhere' }),
  'a tool that is not there': (kit) => errorOf(call(kit, 'nothing')),
  // It had another number before.
  timeout: { since: 1.1, does: (kit) => errorOf(call(kit, 'silent', {}, { timeout: 50 })) },
  'aborted before the answer': (kit) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    return errorOf(call(kit, 'silent', {}, { signal: controller.signal }))
  },
  'other requests': async ({ client }) => (await client).listTools(),
  'the shape of a promise': async ({ client }) => {
    const promise = (await client).callTool({ name: 'weather', arguments: { city: 'Rome' } })
    return [shapeOf(promise), await promise]
  },
  '50 at once': (kit) => fiftyAtOnce((number) => call(kit, 'weather', { city: number })),
}
