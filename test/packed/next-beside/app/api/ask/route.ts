import { withSvc } from '@svc/next'
import OpenAI from 'openai'

export const POST = withSvc({ name: 'ask', user: () => 'ada' }, async (request) => {
  const messages = [{ role: 'user' as const, content: await request.text() }]
  const { choices } = await new OpenAI().chat.completions.create({ model: 'gpt-test', messages })
  return Response.json({ text: choices[0]?.message.content })
})
