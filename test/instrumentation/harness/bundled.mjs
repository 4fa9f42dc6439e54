// An application that is bundled together with its libraries; with the argument "with" it names one of them.
import { instrument } from '@svc/instrumentation'
import * as openai from 'openai'

if (process.argv[2] === 'with') instrument(openai)
const messages = [{ role: 'user', content: 'Say hello.' }]
await new openai.OpenAI().chat.completions.create({ model: 'gpt-test', messages })
