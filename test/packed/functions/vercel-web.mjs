import '@svc/register'
import { ask } from './ask.mjs'

export const GET = async ({ url }) => Response.json(await ask(new URL(url).searchParams.get('user')))
