import '@svc/register'
import { ask } from './ask.mjs'

export default async ({ query: { user } }, response) => response.json(await ask(user))
