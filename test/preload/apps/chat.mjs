// A few model calls, one unless CALLS says more, PAUSE milliseconds apart.
import { setTimeout as pause } from 'node:timers/promises'
import OpenAI from 'openai'

const { CALLS = '1', PAUSE = '0', QUESTION = 'Say hello.' } = process.env
const client = new OpenAI()
for (let call = 0; call < Number(CALLS); call++) {
  const answer = await client.chat.completions.create({
    model: 'gpt-test',
    messages: [{ role: 'user', content: QUESTION }],
  })
  console.log(`answer: ${answer.choices[0].message.content}`)
  await pause(Number(PAUSE))
}
