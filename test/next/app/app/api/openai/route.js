import { withSvc } from '@svc/next'
import OpenAI from 'openai'

/** A library that is hooked when it is loaded. */
export const POST = withSvc({ name: 'openai itself' }, async (request) => {
  const messages = [{ role: 'user', content: await request.text() }]
  const { choices } = await new OpenAI().chat.completions.create({ model: 'gpt-4.1-mini', messages })
  return Response.json(choices[0].message)
})
