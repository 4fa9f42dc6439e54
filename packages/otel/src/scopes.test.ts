import { describe, expect, it } from 'vitest'
import { INFRASTRUCTURE_SCOPES, KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES, matchesScope, OWN_SCOPES } from './scopes.ts'

describe('matchesScope', () => {
  it.each<[name: string, patterns: string[], matches: boolean]>([
    ['my-tracer', ['my-tracer'], true],
    ['my-tracer-2', ['my-tracer'], false],
    ['my-tracer-2', ['my-tracer*'], true],
    ['@arizeai/openinference-instrumentation-openai', ['@arizeai/openinference-*'], true],
    ['a*b', ['a*b'], true],
    ['axb', ['a*b'], false],
    ['anything', ['*'], true],
    ['my-tracer', [], false],
    ['my-tracer', ['other', 'my-*'], true],
  ])('%s against %j is %s', (name, patterns, matches) => {
    expect(matchesScope(name, patterns)).toBe(matches)
  })
})

describe('the scope table', () => {
  it('does not list instrumentations that can contain LLM work as infrastructure', () => {
    for (const name of ['openai', 'aws-sdk']) {
      expect(matchesScope(`@opentelemetry/instrumentation-${name}`, INFRASTRUCTURE_SCOPES)).toBe(false)
    }
  })

  it('lists HTTP, databases and framework internals as infrastructure', () => {
    for (const name of [
      '@opentelemetry/instrumentation-http',
      '@opentelemetry/instrumentation-pg',
      'next.js',
      'prisma',
    ]) {
      expect(matchesScope(name, INFRASTRUCTURE_SCOPES)).toBe(true)
    }
  })

  it('lists no scope as both LLM and infrastructure', () => {
    const llm = [...KNOWN_LLM_INSTRUMENTATION_SCOPE_PREFIXES, ...OWN_SCOPES]
    expect(llm.filter((name) => matchesScope(name, INFRASTRUCTURE_SCOPES))).toEqual([])
    expect(INFRASTRUCTURE_SCOPES.filter((name) => matchesScope(name, OWN_SCOPES))).toEqual([])
  })
})
