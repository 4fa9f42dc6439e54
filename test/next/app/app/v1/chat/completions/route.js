/** A gateway: passes on to a model what it is asked. */
export async function POST(request) {
  const body = await request.text()
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, { method: 'POST', headers, body })
  return Response.json(await answer.json())
}
