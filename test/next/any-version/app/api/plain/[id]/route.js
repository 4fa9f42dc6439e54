import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

/** Nobody wrapped it. */
export async function POST(_request, { params }) {
  const { id } = await params
  const { text } = await generateText({ model: createOpenAI().chat('gpt-4.1-mini'), prompt: id })
  return Response.json({ text })
}
