import { OpenAIChatModel } from 'beeai-framework/adapters/openai/backend/chat'
import { BaseAgent } from 'beeai-framework/agents/base'
import { ToolMessage, UserMessage } from 'beeai-framework/backend/message'
import { Emitter } from 'beeai-framework/emitter/emitter'
import { DynamicTool, StringToolOutput } from 'beeai-framework/tools/base'
import { z } from 'zod'
import { QUESTION, streams, tell, weather } from './weather.mjs'

const forecast = new DynamicTool({
  name: 'weather',
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  handler: async (input) => new StringToolOutput(weather(input)),
})
const llm = new OpenAIChatModel('gpt-4o-mini', { stream: streams })

// Its own agents give their last answer by a tool, which the model of these tests does not call.
class Guide extends BaseAgent {
  emitter = Emitter.root.child({ namespace: ['agent', 'guide'], creator: this })

  async _run({ prompt }) {
    const messages = [new UserMessage(prompt)]
    for (;;) {
      const answer = await llm.create({ messages, tools: [forecast], toolChoice: 'auto' })
      messages.push(...answer.messages)
      const calls = answer.getToolCalls()
      if (calls.length === 0) return answer.getTextContent()
      for (const { toolCallId, toolName, input } of calls) {
        const value = (await forecast.run(input)).getTextContent()
        const output = { type: 'text', value }
        messages.push(new ToolMessage({ type: 'tool-result', toolCallId, toolName, output }))
      }
    }
  }
}
tell(await new Guide().run({ prompt: QUESTION }))
