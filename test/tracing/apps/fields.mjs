// One observation for each row of the attribute table that tracing writes.
import { observe, setActiveTraceAsPublic, startActiveObservation, startObservation } from '@svc/tracing'

const KINDS = [
  'span',
  'generation',
  'event',
  'embedding',
  'agent',
  'tool',
  'chain',
  'retriever',
  'evaluator',
  'guardrail',
]
for (const asType of KINDS) startObservation(asType, {}, { asType }).end()

startObservation('nothing', { input: undefined, output: null, metadata: null, level: undefined, version: null }).end()

startObservation('every field of a span', {
  input: 'a question',
  output: { answer: 42 },
  metadata: { plan: 'pro' },
  level: 'WARNING',
  statusMessage: 'took long',
  version: '2.1',
  environment: 'own',
}).end()

startObservation(
  'every field of a generation',
  {
    completionStartTime: new Date('2026-01-02T03:04:05.678Z'),
    model: 'gpt-test',
    modelParameters: { temperature: 0.5, tool_choice: 'auto' },
    usageDetails: { input: 12, output: 48 },
    costDetails: { input: 0.01, output: 0.02 },
    prompt: { name: 'greeting', version: 3 },
  },
  { asType: 'generation' },
).end()

startObservation(
  'usage of OpenAI',
  { usageDetails: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } },
  {
    asType: 'embedding',
  },
).end()

startObservation(
  'a fallback prompt',
  { prompt: { name: 'greeting', version: 0, isFallback: true } },
  {
    asType: 'generation',
  },
).end()

for (const level of ['DEBUG', 'DEFAULT', 'WARNING', 'ERROR']) startObservation(`level ${level}`, { level }).end()

startObservation('public by the observation').setTraceAsPublic().end()
startActiveObservation('public while active', () => setActiveTraceAsPublic())

startObservation('updated', { input: 1, metadata: { a: 1, b: 1 } })
  .update({ input: 2, metadata: { b: 2, c: 3 } })
  .update({ output: 'done' })
  .end()

startObservation('times', {}, { startTime: new Date(1_700_000_000_000) }).end(new Date(1_700_000_001_500))
startObservation('an event in the past', { input: 'clicked' }, { asType: 'event', startTime: 1_700_000_000_250 })

const search = observe(async (query, limit) => [query, limit], { name: 'search', asType: 'retriever' })
await search('svc', 2)
const fails = (work) =>
  Promise.resolve()
    .then(work)
    .catch(() => {})
await fails(
  observe(
    async () => {
      throw new TypeError('the index is closed')
    },
    { name: 'a failed function' },
  ),
)
await fails(() =>
  startActiveObservation('failed work', () => {
    throw new TypeError('the index is closed')
  }),
)
