// Frameworks over `openai`.
import { agentsRun, KEY, QUESTION } from './clients.mjs'

export default {
  agents: (kit) => agentsRun(kit, { useResponses: false }),
  langchain: async ({ load, url }) => {
    const { ChatOpenAI } = await load('@langchain/openai')
    const model = new ChatOpenAI({ apiKey: KEY, model: 'gpt-test', configuration: { baseURL: `${url}/v1` } })
    return (await model.invoke(QUESTION)).content
  },
}
