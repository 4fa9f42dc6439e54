// What propagateAttributes hands on: to observations, to model calls, to spans of a tracer of its own.
import { propagateAttributes, startActiveObservation, startObservation, updateActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI()
const ask = () =>
  client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] })

const EVERYTHING = {
  userId: 'ada',
  sessionId: 'session-1',
  version: '2.1',
  traceName: 'answer',
  environment: 'propagated',
  tags: ['a', 'b'],
  metadata: { plan: 'pro', seats: 5, digits: '3', trial: false, team: { id: 7 } },
  prompt: { name: 'greeting', version: '3' },
}

await startActiveObservation('around', async () => {
  startObservation('before').end()
  await propagateAttributes(EVERYTHING, async () => {
    await ask()
    startObservation('inside').end()
    startObservation('inside with an own environment', { environment: 'own', version: '9' }).end()
    startObservation(
      'inside with an own prompt',
      { prompt: { name: 'own', version: 1 } },
      { asType: 'generation' },
    ).end()
    propagateAttributes({ userId: 'bob', tags: ['b', 'c'], metadata: { seats: 6, color: 'red' } }, () =>
      startObservation('deeper').end(),
    )
    propagateAttributes({ prompt: { name: 'local', version: 0, isFallback: true } }, () =>
      startObservation('under a fallback').end(),
    )
  })
  startObservation('after').end()
  updateActiveObservation({ metadata: { seen: true } })
})

propagateAttributes(
  {
    userId: 'u'.repeat(201),
    sessionId: 's'.repeat(200),
    version: 5,
    traceName: '',
    environment: 'Not Fit',
    tags: ['fit', 't'.repeat(201), 4],
    metadata: { long: 'm'.repeat(199), fits: 'm'.repeat(198), cycle: globalThis },
    prompt: { name: 'greeting', version: 'latest' },
  },
  () => startObservation('of what is not fit').end(),
)
