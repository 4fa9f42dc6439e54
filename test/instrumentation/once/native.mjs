// Calls of a library that makes spans of its own, if it is asked to.
import { anthropic, askAnthropic, KEY, messages, QUESTION } from './clients.mjs'

export default {
  plain: async (kit) => askAnthropic(await anthropic(kit, 'anthropic-1')),
  streamed: async (kit) => {
    const client = await anthropic(kit, 'anthropic-1')
    const stream = client.messages.stream({ model: 'claude-test', max_tokens: 100, messages })
    return (await stream.finalMessage()).content[0].text
  },
  'below LangChain': async ({ load, url }) => {
    const { ChatAnthropic } = await load('@langchain/anthropic')
    return (await new ChatAnthropic({ apiKey: KEY, model: 'claude-test', anthropicApiUrl: url }).invoke(QUESTION))
      .content
  },
}
