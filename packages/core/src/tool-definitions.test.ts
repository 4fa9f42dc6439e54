import { expect, it } from 'vitest'
import { toolDefinitions } from './tool-definitions.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const description = 'The weather of a city'
const whole = [{ type: 'function', function: { name: 'weather', description, parameters: schema } }]

it.each<[whose: string, tools: unknown]>([
  ['OpenAI', [{ type: 'function', function: { name: 'weather', description, parameters: schema, strict: true } }]],
  ['OpenAI, responses', [{ type: 'function', name: 'weather', description, parameters: schema, strict: true }]],
  ['OpenAI, functions', [{ name: 'weather', description, parameters: schema }]],
  ['Anthropic', [{ name: 'weather', description, input_schema: schema }]],
  ['Gemini', [{ functionDeclarations: [{ name: 'weather', description, parameters: schema }] }]],
  [
    'Gemini, with JSON schema',
    [{ functionDeclarations: [{ name: 'weather', description, parametersJsonSchema: schema }] }],
  ],
  ['Bedrock', [{ toolSpec: { name: 'weather', description, inputSchema: { json: schema } } }, { cachePoint: {} }]],
  ['Cohere', [{ name: 'weather', description, parameterDefinitions: schema }]],
  ['the AI SDK', [{ type: 'function', name: 'weather', description, inputSchema: schema }]],
  ['the AI SDK, as texts', [JSON.stringify({ type: 'function', name: 'weather', description, inputSchema: schema })]],
  ['a library that has them by name', { weather: { description, inputSchema: { jsonSchema: schema } } }],
])('tool definitions of %s have a name, a description and parameters', (_, tools) => {
  expect(toolDefinitions(tools)).toEqual(whole)
})

it('provider-run tools are named by their type, without their configuration', () => {
  const tools = [
    { type: 'web_search' },
    { type: 'mcp', server_label: 'x', authorization: 'secret' },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    { type: 'custom', custom: { name: 'code', format: {} } },
    { googleSearch: {} },
    { systemTool: { name: 'nova_grounding' } },
  ]
  const named = toolDefinitions(tools)
  expect(named.map((tool) => tool.function)).toEqual(
    ['web_search', 'mcp', 'web_search', 'code', 'googleSearch', 'nova_grounding'].map((name) => ({ name })),
  )
})

it("several of Gemini's own tools may stand in one object, also beside functions", () => {
  const tools = [
    { googleSearch: {}, urlContext: {} },
    { functionDeclarations: [{ name: 'weather' }], codeExecution: {} },
  ]
  expect(toolDefinitions(tools).map((tool) => tool.function.name)).toEqual([
    'googleSearch',
    'urlContext',
    'weather',
    'codeExecution',
  ])
  expect(toolDefinitions([{ inputSchema: {}, outputSchema: {} }, { parameters: {} }])).toEqual([])
})

it.each([undefined, null, 7, 'text', [], [null, 7, {}, { type: 'function' }, { a: 1, b: 2 }]])(
  '%j contains no tool definitions',
  (tools) => {
    expect(toolDefinitions(tools)).toEqual([])
  },
)
