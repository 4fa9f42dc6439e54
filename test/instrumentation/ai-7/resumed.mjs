import { z } from 'zod'
import { WEATHER_QUESTION } from '../harness/kit.mjs'

export const libraries = ['ai-7', '@ai-sdk/openai']

/** Asks until a tool needs an approval, and gives the messages to another process; or goes on with them. */
export async function run([{ generateText, tool }, { createOpenAI }], url, paused) {
  const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('gpt-4o-mini')
  const weather = tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    needsApproval: true,
    execute: async ({ city }) => `sunny in ${city}`,
  })
  const before = paused === undefined ? [{ role: 'user', content: WEATHER_QUESTION }] : JSON.parse(paused)
  const { content, responseMessages, response } = await generateText({ model, tools: { weather }, messages: before })
  const answers = content
    .filter(({ type }) => type === 'tool-approval-request')
    .map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }))
  const said = responseMessages ?? response.messages
  return JSON.stringify([...before, ...said, { role: 'tool', content: answers }])
}
