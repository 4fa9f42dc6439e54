import { createOpenAI } from '@ai-sdk/openai'
import { withSvc } from '@svc/next'
import { generateText } from 'ai'

export const POST = withSvc({ name: 'ask' }, async (request) => {
  const { question } = (await request.json()) as { question: string }
  const { text } = await generateText({ model: createOpenAI().chat('gpt-test'), prompt: question })
  return Response.json({ text })
})
