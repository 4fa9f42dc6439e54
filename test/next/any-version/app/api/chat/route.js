import { createOpenAI } from '@ai-sdk/openai'
import { withSvc } from '@svc/next'
import { createUIMessageStreamResponse, streamText, toUIMessageStream } from 'ai'

export const POST = withSvc({ name: 'chat' }, async (request) => {
  const { prompt } = await request.json()
  const openai = createOpenAI()
  const { stream } = streamText({ model: openai.chat('gpt-4.1-mini'), prompt })
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }), headers: { 'x-kept': 'yes' } })
})
