// A plain, a streamed and a tool call of each way in which libraries are observed, all in one process.
import * as agents from '../agents/cases.mjs'
import * as ai5 from '../ai-5/cases.mjs'
import * as ai6 from '../ai-6/cases.mjs'
import * as ai7 from '../ai-7/cases.mjs'
import * as bedrock from '../bedrock/cases.mjs'
import * as googleGenAI from '../google-genai/cases.mjs'
import * as langchain from '../langchain/cases.mjs'
import * as mcp from '../mcp/cases.mjs'
import * as openai from '../openai/cases.mjs'

const CALLS = ['plain', 'streamed', 'tools']
const LIBRARIES = {
  'openai-7': [openai, ...CALLS, 'left early', 'helpers'],
  'genai-3': [googleGenAI, ...CALLS],
  'bedrock-1163': [bedrock, ...CALLS, 'left early'],
  'ai-5': [ai5, ...CALLS, 'left early'],
  'ai-6': [ai6, ...CALLS, 'left early'],
  'ai-7': [ai7, ...CALLS, 'left early'],
  'core-1': [langchain, 'chain', 'streamed', 'tools', 'an aborted graph'],
  'agents-0.20': [agents, ...CALLS],
  'mcp-1.32': [mcp, 'plain', 'a streamed call', 'over HTTP'],
}

/** One half of them in one way, and the other half in the other. */
const loading = (one, other) => async () => {
  const loaded = Object.entries(LIBRARIES).map(async ([name, [{ load }]], index) => [
    name,
    await load[index % 2 ? other : one](name),
  ])
  return Object.fromEntries(await Promise.all(loaded))
}
export const load = { import: loading('import', 'require'), require: loading('require', 'import') }

export const connect = () => undefined

export const cases = Object.fromEntries(
  Object.entries(LIBRARIES).flatMap(([name, [library, ...titles]]) =>
    titles.map((title) => {
      const found = library.cases[title]
      const does = ({ exports: { [name]: exports }, url }) =>
        (found.does ?? found)({ exports, url, client: library.connect({ exports, url }) })
      return [`${name}: ${title}`, does]
    }),
  ),
)
