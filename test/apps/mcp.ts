/** A client and a server of MCP, which are programs in `mcp`. */
export interface Pair {
  readonly name: string
  /** Where the versions are installed that it is about. */
  readonly folder: keyof typeof FOLDERS
  /** With its arguments. */
  readonly client: readonly string[]
  readonly server: string
  readonly ways: readonly string[]
  /** What the server offers beside the tool `ask`. */
  readonly more?: 'asks back' | 'has an app' | 'has tasks' | 'has tasks beside'
}

const SDK_1 = ['ask-sdk', '1']
const SDK_2 = ['ask-sdk', '2']
const BOTH = ['stdio', 'http']

export const PAIRS: readonly Pair[] = [
  {
    name: 'the SDK, version 2',
    folder: 'second',
    client: SDK_2,
    server: 'sdk-2',
    ways: [...BOTH, 'modern'],
    more: 'asks back',
  },
  { name: 'the client of AI SDK 5', folder: 'ai-5', client: ['ask-ai'], server: 'fastmcp', ways: BOTH },
  { name: 'the client of AI SDK 6', folder: 'ai-6', client: ['ask-ai'], server: 'fastmcp', ways: BOTH },
  { name: 'the client of AI SDK 7', folder: 'ai-7', client: ['ask-ai'], server: 'fastmcp', ways: BOTH },
  { name: 'fastmcp', folder: 'first', client: SDK_1, server: 'fastmcp', ways: [...BOTH, 'stateless'] },
  { name: 'mcp-handler 1', folder: 'first', client: SDK_1, server: 'handler', ways: ['http'] },
  { name: 'mcp-handler 2', folder: 'second', client: SDK_2, server: 'handler', ways: ['http', 'modern'] },
  {
    name: 'ext-apps 1',
    folder: 'first',
    client: SDK_1,
    server: 'ext-apps-1',
    ways: BOTH,
    more: 'has an app',
  },
  {
    name: 'ext-apps 2',
    folder: 'second',
    client: SDK_2,
    server: 'ext-apps-2',
    ways: BOTH,
    more: 'has an app',
  },
  {
    name: 'tasks of the SDK, version 1',
    folder: 'first',
    client: ['ask-tasks', '1'],
    server: 'tasks-1',
    ways: BOTH,
    more: 'has tasks',
  },
  {
    name: 'tasks of the SDK, version 2, and its extension',
    folder: 'second',
    client: ['ask-tasks', '2'],
    server: 'tasks-2',
    ways: BOTH,
    more: 'has tasks beside',
  },
]

export const DEPENDENCIES = {
  '@opentelemetry/api': '1.10.0',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/core': '2.4.0',
  '@modelcontextprotocol/ext-tasks': '0.2.2',
  '@modelcontextprotocol/node': '2.1.2',
  '@modelcontextprotocol/server': '2.4.0',
  fastmcp: '4.20.16',
  openai: '7.55.0',
  zod: '4.6.7',
}

export const FOLDERS = {
  first: { 'mcp-handler': '1.1.0', '@modelcontextprotocol/ext-apps': '1.7.5' },
  second: { 'mcp-handler': '2.4.0', '@modelcontextprotocol/ext-apps': '2.0.4' },
  'ai-5': { '@ai-sdk/mcp': '0.0.23' },
  'ai-6': { '@ai-sdk/mcp': '1.0.102' },
  'ai-7': { '@ai-sdk/mcp': '2.0.99' },
}
