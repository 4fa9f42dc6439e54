import { ask } from '../../../../ask.js'

/** Nobody wrapped it. */
export async function POST(_request, { params }) {
  const { id } = await params
  return Response.json({ text: await ask(id) })
}
