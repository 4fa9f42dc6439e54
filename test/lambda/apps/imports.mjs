import '@svc/register'
import { ask } from './ask.mjs'

export const handler = async ({ question }) => ({ answer: await ask(question) })
