import { withSvc } from '@svc/next'
import OpenAI from 'openai'

/** Asks the gateway that this application is, too. */
export const POST = withSvc({ name: 'own model' }, async (request) => {
  const messages = [{ role: 'user', content: await request.text() }]
  const client = new OpenAI({ baseURL: new URL('/v1', request.nextUrl.origin).href })
  const { choices } = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages })
  return Response.json(choices[0].message)
})
