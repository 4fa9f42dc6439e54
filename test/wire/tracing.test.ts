import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { useApps } from '../tracing/apps.ts'

const { run } = useApps()

const id = expect.stringMatching(/^[0-9a-f]{16}$/)
const time = expect.stringMatching(/Z$/)

/** An observation as the service shows it, with the fields that most of these have. */
const observation = (fields: { readonly name: string; readonly type: string; readonly [field: string]: unknown }) => ({
  id,
  parentId: id,
  level: 'DEFAULT',
  model: null,
  input: null,
  output: null,
  usage: {},
  startTime: time,
  endTime: time,
  metadata: { plan: 'pro' },
  ...fields,
})

it('an agent arrives as one trace with user, session, tags and all of its steps, and is its only app root', async () => {
  const { traces, spans, code, lines } = await run('agent.mjs', { env: { SVC_TRACING_ENVIRONMENT: 'test' } })
  expect({ code, lines }).toEqual({ code: 0, lines: [] })
  const [agent, , , weather] = traces[0]?.observations ?? []
  const child = { parentId: agent?.id }
  // agent · AGENT                     public, below a span of another service
  // ├─ allowed · GUARDRAIL
  // ├─ search · RETRIEVER
  // ├─ weather · TOOL
  // │  └─ cache miss · EVENT
  // ├─ chat gpt-test · GENERATION     by the instrumentation
  // └─ words · CHAIN                  a generator, to its end
  expect(traces).toEqual([
    {
      traceId: createHash('sha256').update('order-1').digest('hex').slice(0, 32),
      name: 'answer a question',
      userId: 'ada',
      sessionId: 'session-1',
      public: true,
      tags: ['demo'],
      environment: 'test',
      observations: [
        observation({
          name: 'agent',
          type: 'AGENT',
          parentId: '00f067aa0ba902b7',
          input: 'What is svc?',
          output: { answer: 'Hello.' },
        }),
        observation({ ...child, name: 'allowed', type: 'GUARDRAIL', input: 'What is svc?', output: true }),
        observation({ ...child, name: 'search', type: 'RETRIEVER', input: 'svc', output: ['about svc'] }),
        observation({ ...child, name: 'weather', type: 'TOOL', input: { city: 'Oslo' }, output: 'sun' }),
        observation({ parentId: weather?.id, name: 'cache miss', type: 'EVENT', level: 'DEBUG' }),
        observation({
          ...child,
          name: 'chat gpt-test',
          type: 'GENERATION',
          model: 'gpt-test',
          input: { messages: [{ role: 'user', content: 'Say hello.' }] },
          output: [expect.objectContaining({ role: 'assistant' })],
          usage: expect.objectContaining({ total: expect.any(Number) }),
          metadata: expect.objectContaining({ plan: 'pro' }),
        }),
        observation({ ...child, name: 'words', type: 'CHAIN', output: 'Hello.' }),
      ],
    },
  ])
  const roots = spans.filter(({ attributes }) => attributes['svc.internal.is_app_root'])
  expect(roots.map(({ name }) => name)).toEqual(['agent'])
})
