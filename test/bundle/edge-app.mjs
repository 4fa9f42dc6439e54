// What a function on an edge runtime does with the package: one request, observed. The runtime brings the provider.
import { context, propagation } from '@opentelemetry/api'
import {
  createTraceId,
  observe,
  propagateAttributes,
  setSvcTracerProvider,
  startActiveObservation,
  startObservation,
} from '@svc/tracing'

export { context, setSvcTracerProvider }

/** The user that travels as baggage. */
export const travellingUser = (userId) =>
  propagateAttributes({ userId, asBaggage: true }, () => propagation.getActiveBaggage()?.getEntry('svc_user_id')?.value)

export async function handle(question) {
  const search = observe(async (query) => [`about ${query}`], { name: 'search', asType: 'retriever' })
  const words = observe(async function* words() {
    yield 'Hel'
    yield 'lo.'
  })
  return propagateAttributes({ userId: 'ada', tags: ['edge'] }, () =>
    startActiveObservation(
      'agent',
      async (agent) => {
        agent.update({ input: question, metadata: { runtime: 'edge' } }).setTraceAsPublic()
        agent.startObservation('ask', { model: 'gpt-test', input: question }, { asType: 'generation' }).end()
        await search(question)
        let answer = ''
        for await (const word of words()) answer += word
        startObservation('done', {}, { asType: 'event' })
        agent.update({ output: answer })
        return { answer, seed: await createTraceId('order-1') }
      },
      { asType: 'agent' },
    ),
  )
}
