import { observe, propagateAttributes, setActiveTraceAsPublic, startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI()
const notes = [
  'Paris: take the metro, not a taxi.',
  'Rome: carry water in summer.',
  'Oslo: the islands are worth a day.',
]
const sent = []

const allow = observe((question) => !/password|credit card/i.test(question), {
  name: 'no-secrets',
  asType: 'guardrail',
})

const findNotes = observe((question) => notes.filter((note) => question.includes(note.split(':')[0])), {
  name: 'find-notes',
  asType: 'retriever',
})

const weather = observe(async ({ city }) => ({ city, degrees: 21, sky: 'clear' }), { name: 'weather', asType: 'tool' })

const sendPostcard = observe(async (text) => ({ number: sent.push(text) }), { name: 'send-postcard', asType: 'tool' })

const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'The weather in a city, now.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

async function converse(messages) {
  for (let turn = 0; turn < 5; turn += 1) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages, tools })
    const { message } = choices[0]
    if (!message.tool_calls) return message.content
    const results = message.tool_calls.map(async ({ id, function: { arguments: said } }) => {
      return { role: 'tool', tool_call_id: id, content: JSON.stringify(await weather(JSON.parse(said))) }
    })
    messages.push(message, ...(await Promise.all(results)))
  }
  throw new Error('the model asks for tools without end')
}

async function planTrip(question) {
  if (!allow(question)) return 'I do not talk about that.'
  const known = findNotes(question).join(' ')
  const answer = await converse([
    { role: 'system', content: `You plan trips. What we know: ${known}` },
    { role: 'user', content: question },
  ])
  await sendPostcard(answer)
  // Who gets the postcard may look at how it came about. There is no way back.
  setActiveTraceAsPublic()
  return answer
}

const question = process.argv[2] ?? 'What is the weather in Paris and Rome?'

const answer = await propagateAttributes({ userId: 'ada', sessionId: 'summer-trip', tags: ['travel'] }, () =>
  startActiveObservation(
    'plan-trip',
    async (agent) => {
      agent.update({ input: question, metadata: { notes: notes.length } })
      const output = await planTrip(question)
      agent.update({ output })
      return output
    },
    { asType: 'agent' },
  ),
)
console.log(answer)
