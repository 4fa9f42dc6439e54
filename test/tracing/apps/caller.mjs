// Asks the server of CALLEE with what the context says about itself, as an HTTP instrumentation would.
import { context, propagation } from '@opentelemetry/api'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'

const { CALLEE, AS_BAGGAGE } = process.env
const values = {
  userId: 'ada',
  sessionId: 'session 1, übermorgen; =%',
  version: '2.1',
  traceName: 'ask and answer',
  environment: 'propagated',
  tags: ['a', 'b c'],
  metadata: { plan: 'pro', seats: 5, digits: '3', team: { id: 7 } },
  prompt: { name: 'greeting', version: 3 },
  asBaggage: AS_BAGGAGE === 'true',
}

await propagateAttributes(values, () =>
  startActiveObservation('ask', async () => {
    const headers = {}
    propagation.inject(context.active(), headers)
    console.log(`baggage: ${headers.baggage ?? 'none'}`)
    console.log(await fetch(CALLEE, { headers }).then((response) => response.text()))
  }),
)
