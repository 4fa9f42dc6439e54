// Agents at the same time that ask the same: node replayed-team.mjs <names, in the order of their requests>
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const openai = new OpenAI({ maxRetries: 0 })
const [names = '', parent] = process.argv.slice(2)
const turns = names.split(',')
const gates = new Map(turns.map((name) => [name, Promise.withResolvers()]))
gates.get(turns[0]).resolve()

const ask = async () => {
  const messages = [{ role: 'user', content: 'Which way?' }]
  const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1-mini', messages })
  return choices[0].message.content
}

const agent = (name, parentSpanContext) =>
  startActiveObservation(
    name,
    async () => {
      await gates.get(name)?.promise
      const answer = await ask()
      gates.get(turns[turns.indexOf(name) + 1])?.resolve()
      return `${name}: ${answer}`
    },
    { parentSpanContext },
  )

/** An agent in a process of its own, which has the same trace. */
const child = async ({ otelSpan }) => {
  const args = [import.meta.filename, 'child', JSON.stringify(otelSpan.spanContext())]
  return (await promisify(execFile)(process.execPath, args)).stdout.trim()
}

if (parent) console.log(await agent(names, JSON.parse(parent)))
else {
  const answers = await startActiveObservation('team', (team) =>
    Promise.all([...['north', 'south', 'east'].map((name) => agent(name)), child(team)]),
  )
  console.log(answers.join('\n'))
}
