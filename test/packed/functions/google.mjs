import functions from '@google-cloud/functions-framework'
import { ask } from './ask.mjs'

functions.http('ask', async ({ query: { user } }, response) => response.json(await ask(user)))
