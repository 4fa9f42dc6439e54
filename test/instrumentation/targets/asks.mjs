import OpenAI from 'openai'

export async function answer() {
  const { output_text } = await new OpenAI().responses.create({ model: 'gpt-4o-mini', input: 'What is a span?' })
  return output_text
}
