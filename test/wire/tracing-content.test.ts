import { expect, it } from 'vitest'
import { useApps } from '../tracing/apps.ts'

const { run } = useApps()

it('without content only what code writes by hand arrives', async () => {
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false' }
  const { traces } = await run('agent.mjs', { env })
  const seen = traces.flatMap(({ observations }) => observations)
  expect(seen.map(({ name, input, output }) => [name, input, output])).toEqual([
    ['agent', 'What is svc?', { answer: 'Hello.' }],
    ['allowed', null, null],
    ['search', null, null],
    ['weather', { city: 'Oslo' }, 'sun'],
    ['cache miss', null, null],
    ['chat gpt-test', null, null],
    ['words', null, null],
  ])
})
