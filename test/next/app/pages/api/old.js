import { ask } from '../../ask.js'

/** A route of the Pages Router, which nobody wrapped. */
export default async function handler(request, response) {
  response.json({ text: await ask(request.body) })
}
