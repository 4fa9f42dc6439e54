import { observe } from '@svc/tracing'
import OpenAI from 'openai'

const openai = new OpenAI()

/** The work under test: a part of the application, which knows nothing of evals. */
export const answer = observe(async function answer(question) {
  const model = process.env.MODEL ?? 'gpt-4.1-mini'
  const content = [process.env.INSTRUCTION, question].filter(Boolean).join('\n')
  const { choices } = await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] })
  return choices[0].message.content
})
