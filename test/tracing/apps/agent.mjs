// An agent with a retriever, a guardrail, a tool, a model call and an event, for one user, its trace public.
import { createTraceId, observe, propagateAttributes, startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const client = new OpenAI()
const search = observe(async (query) => [`about ${query}`], { name: 'search', asType: 'retriever' })
const allowed = observe((text) => !text.includes('secret'), { name: 'allowed', asType: 'guardrail' })
const words = observe(
  async function* () {
    yield 'Hel'
    yield 'lo.'
  },
  { name: 'words', asType: 'chain', captureInput: false },
)

const parentSpanContext = {
  traceId: await createTraceId('order-1'),
  spanId: '00f067aa0ba902b7',
  traceFlags: 1,
}

await propagateAttributes(
  { userId: 'ada', sessionId: 'session-1', tags: ['demo'], metadata: { plan: 'pro' }, traceName: 'answer a question' },
  () =>
    startActiveObservation(
      'agent',
      async (agent) => {
        agent.update({ input: 'What is svc?' }).setTraceAsPublic()
        if (!allowed('What is svc?')) return
        await search('svc')
        const tool = agent.startObservation('weather', { input: { city: 'Oslo' } }, { asType: 'tool' })
        tool.startObservation('cache miss', { level: 'DEBUG' }, { asType: 'event' })
        tool.update({ output: 'sun' }).end()
        await client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hello.' }] })
        for await (const _ of words());
        agent.update({ output: { answer: 'Hello.' } })
      },
      { asType: 'agent', parentSpanContext },
    ),
)
