import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

/** Nobody wrapped it. */
export async function POST(request: Request) {
  const prompt = await request.text()
  const { text } = await generateText({ model: createOpenAI().chat('gpt-test'), prompt })
  return Response.json({ text })
}
