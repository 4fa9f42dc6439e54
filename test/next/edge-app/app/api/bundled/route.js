import OpenAI from 'openai'

/** A library that the options of this application have in the bundle. */
export async function POST(request) {
  const messages = [{ role: 'user', content: await request.text() }]
  const { choices } = await new OpenAI().chat.completions.create({ model: 'gpt-4.1-mini', messages })
  return Response.json(choices[0].message)
}
