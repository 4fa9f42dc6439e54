import { expect, it } from 'vitest'
import { scopePredicate } from '../filter.ts'
import { keepingScopes } from './keeps-scope.ts'

it.each([
  'svc-sdk',
  'svc-sdk.more',
  'svc-sdks',
  'ai',
  'ai.more',
  '@svc/openai',
  'gen_ai',
  'genkit-tracer',
  'openinference.ai',
  '@mastra/otel-bridge',
  'strands-agents',
  'own',
  'own.more',
  'others.more',
  'next.js',
  '',
])('the scope %j is kept on the edge where it is on a server', (scope) => {
  const allowed = ['own', 'others*']
  expect(keepingScopes(allowed)(scope)).toBe(scopePredicate(allowed)(scope))
})
