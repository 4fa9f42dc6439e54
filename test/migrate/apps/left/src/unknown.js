import { make } from '../lib/made-elsewhere.js'

const client = make()

export async function load(svc) {
  await svc.getPrompt('a')
  await client.api.legacy.scoreV1.delete('a')
}
