// What the functions of all platforms do.
import { propagateAttributes } from '@svc/tracing'
import OpenAI from 'openai'

let client

export function ask(userId) {
  return propagateAttributes({ userId }, async () => {
    client ??= new OpenAI()
    const messages = [{ role: 'user', content: userId }]
    const { choices } = await client.chat.completions.create({ model: 'gpt-test', messages })
    return choices[0].message.content
  })
}
