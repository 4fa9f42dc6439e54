import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

/** A call of a model that nobody of ours wraps. */
export async function ask(prompt) {
  const { text } = await generateText({ model: createOpenAI().chat('gpt-4.1-mini'), prompt })
  return text
}
