import { after } from 'next/server'
import { ask } from '../../../ask.js'

/** What it records, it records when the response is out. */
export async function POST(request) {
  const prompt = await request.text()
  after(() => ask(prompt))
  return Response.json({ done: true })
}
