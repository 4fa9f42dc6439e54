import { ai } from '@ax-llm/ax'
import { apiKey, baseURL, joined, streams, tell } from './weather.mjs'

const llm = ai({ name: 'openai', apiKey, apiURL: baseURL, config: { model: 'gpt-4o-mini', stream: streams } })
const answer = await llm.chat({ chatPrompt: [{ role: 'user', content: 'Say hello.' }] }, { stream: streams })
async function* deltas() {
  for await (const { results } of answer) yield results[0]?.content
}
tell(streams ? await joined(deltas()) : answer.results[0].content)
