// Pi has another name since version 1, and knows of models what it is told.
import { baseURL, QUESTION, tell, weather } from './weather.mjs'

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const api = { api: 'openai-completions', provider: 'openai', baseUrl: baseURL, reasoning: false, input: ['text'] }
const model = { id: 'gpt-4o-mini', name: 'model', ...api, cost, contextWindow: 100_000, maxTokens: 1_000 }
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const execute = async (_, input) => ({ content: [{ type: 'text', text: weather(input) }], details: {} })
const tools = [{ name: 'weather', label: 'Weather', description: 'The weather of a city', parameters, execute }]

export async function ask(Agent, more) {
  const agent = new Agent({ initialState: { systemPrompt: 'Be brief.', model, tools }, ...more })
  await agent.prompt(QUESTION)
  tell(agent.state.messages.at(-1).content[0].text)
}
