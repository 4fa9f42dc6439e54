// An agent of two turns, and calls at the same time: node replayed-agent.mjs [turns]
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const openai = new OpenAI({ maxRetries: 0 })
const { SYSTEM = 'Be brief.' } = process.env

const ask = async (content, system = SYSTEM) => {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content },
  ]
  const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1-mini', messages })
  return choices[0].message.content
}

export const agent = (turns = 1) =>
  startActiveObservation('agent', async () => {
    const first = await Promise.all([ask('one', 'Always the same.'), ask('two', 'Always the same.')])
    const rest = []
    for (let turn = 0; turn < turns; turn += 1) rest.push(await ask(`turn ${turn}`))
    return [...first, ...rest].join('\n')
  })

if (process.argv[1] === import.meta.filename) console.log(await agent(Number(process.argv[2] ?? 1)))
