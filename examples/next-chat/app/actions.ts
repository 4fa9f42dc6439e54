'use server'

import { openai } from '@ai-sdk/openai'
import { withSvcAction } from '@svc/next'
import { generateText } from 'ai'

export const nameChat = withSvcAction({ name: 'name-chat' }, async (question: string) => {
  const { text } = await generateText({
    model: openai('gpt-4.1-mini'),
    instructions: 'Give this chat a name of at most five words.',
    prompt: question,
  })
  // Models talk more than asked.
  return text.split(' ').slice(0, 5).join(' ')
})
