import { ask } from '../../ask.js'

export default async function handler(request, response) {
  await ask()
  response.json(request.url)
}
