import { SvcClient } from '@svc/client'
import { startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new SvcClient()
const openai = new OpenAI()

/** Answers a question. What the program can judge by itself, it judges on the spot. */
function answer(question) {
  return startActiveObservation('answer-question', async (observation) => {
    observation.update({ input: question })
    const messages = [
      { role: 'system', content: 'Answer in one sentence.' },
      { role: 'user', content: question },
    ]
    const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1-mini', messages })
    const text = choices[0].message.content
    observation.update({ output: text })
    client.score.activeObservation({ name: 'characters', value: text.length })
    return { text, traceId: observation.traceId }
  })
}

/** What the reader says, minutes or days later. A second thumb replaces the first: it has the same id. */
function rate(traceId, thumb, comment) {
  client.score.create({
    id: `thumb-${traceId}`,
    traceId,
    name: 'user-feedback',
    value: thumb === 'up' ? 1 : 0,
    dataType: 'BOOLEAN',
    comment,
  })
}

const { text, traceId } = await answer(process.argv[2] ?? 'Is tea better than coffee?')
console.log(text)
rate(traceId, 'down', 'too vague')
rate(traceId, 'up', 'on second thought, fine')
