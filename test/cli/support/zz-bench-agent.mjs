// One conversation that grows, calls in steps.
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const openai = new OpenAI({ maxRetries: 0 })
const turns = Number(process.argv[2])
const t0 = performance.now()
const c0 = process.cpuUsage()
const messages = [{ role: 'system', content: 'Be brief.' }]
let text = ''
await startActiveObservation('agent', async () => {
  for (let i = 0; i < turns; i++) {
    messages.push({ role: 'user', content: `turn ${i} `.repeat(20) })
    const { choices } = await openai.chat.completions.create({
      model: 'gpt-4.1-mini',
      messages: process.env.GROW ? messages : [messages[0], messages.at(-1)],
    })
    messages.push({ role: 'assistant', content: choices[0].message.content })
    text += choices[0].message.content
  }
})
const c = process.cpuUsage(c0)
console.error(
  'app ms',
  Math.round(performance.now() - t0),
  'cpu ms',
  Math.round((c.user + c.system) / 1000),
  'since start',
  Math.round(performance.now()),
)
console.log(text.length)
