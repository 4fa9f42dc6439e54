import { beforeAll, describe, expect, it } from 'vitest'
import { type Run, useApps } from '../tracing/apps.ts'

const { run } = useApps()
let all: Run
beforeAll(async () => {
  all = await run('propagation.mjs', { env: { SVC_TRACING_ENVIRONMENT: 'processor' } })
})

const EVERYTHING = {
  'user.id': 'ada',
  'session.id': 'session-1',
  'svc.version': '2.1',
  'svc.trace.name': 'answer',
  'svc.environment': 'propagated',
  'svc.trace.tags': ['a', 'b'],
  'svc.trace.metadata.plan': '"pro"',
  'svc.trace.metadata.seats': '5',
  'svc.trace.metadata.digits': '"3"',
  'svc.trace.metadata.trial': 'false',
  'svc.trace.metadata.team': '{"id":7}',
  'svc.observation.prompt.name': 'greeting',
  'svc.observation.prompt.version': 3,
}
const span = { 'svc.observation.type': 'span' }

describe('what is propagated', () => {
  it('reaches the observations inside', () => {
    expect(all.attributes('inside')).toEqual({ ...span, ...EVERYTHING })
  })

  it('reaches the calls of instrumented packages', () => {
    expect(all.attributes('chat gpt-test')).toMatchObject(EVERYTHING)
  })

  it('is on the span that was active, and on none that started before or after', () => {
    expect(all.attributes('around')).toEqual({
      ...span,
      ...EVERYTHING,
      'svc.internal.is_app_root': true,
      'svc.observation.input': 'Say hello.',
      'svc.observation.output': expect.stringMatching(/^You asked "Say hello\."/),
      'svc.observation.metadata.seen': 'true',
      // What was propagated further in came later, and wins.
      'user.id': 'bob',
      'svc.trace.tags': ['a', 'b', 'c'],
      'svc.trace.metadata.seats': '6',
      'svc.trace.metadata.color': '"red"',
    })
    for (const name of ['before', 'after']) {
      expect(all.attributes(name)).toEqual({ ...span, 'svc.environment': 'processor' })
    }
  })

  it('beats the processor, and what an observation says itself beats both', () => {
    expect(all.attributes('inside with an own environment')).toEqual({
      ...span,
      ...EVERYTHING,
      'svc.environment': 'own',
      'svc.version': '9',
    })
    expect(all.attributes('inside with an own prompt')).toMatchObject({
      'svc.observation.prompt.name': 'own',
      'svc.observation.prompt.version': 1,
    })
  })

  it('is joined with what is propagated further in: tags joined, metadata by key, the rest replaced', () => {
    expect(all.attributes('deeper')).toEqual({
      ...span,
      ...EVERYTHING,
      'user.id': 'bob',
      'svc.trace.tags': ['a', 'b', 'c'],
      'svc.trace.metadata.seats': '6',
      'svc.trace.metadata.color': '"red"',
    })
  })

  it('keeps the prompt of further out under a fallback, which links nothing', () => {
    expect(all.attributes('under a fallback')).toEqual({ ...span, ...EVERYTHING })
  })
})

describe('what is not fit', () => {
  it('is dropped singly; the rest is propagated', () => {
    expect(all.attributes('of what is not fit')).toEqual({
      ...span,
      'svc.environment': 'processor',
      'svc.internal.is_app_root': true,
      'session.id': 's'.repeat(200),
      'svc.trace.tags': ['fit'],
      'svc.trace.metadata.fits': `"${'m'.repeat(198)}"`,
    })
  })

  it.each(['userId', 'version', 'environment', 'tags', 'metadata.long', 'metadata.cycle', 'prompt'])(
    'is named once: %s',
    (what) => {
      expect(all.lines.filter((line) => line.includes(`propagateAttributes: ${what} is dropped: `))).toHaveLength(1)
    },
  )

  it('is not worth a word when there is nothing', () => {
    expect(all.lines.filter((line) => /traceName|sessionId|metadata\.fits/.test(line))).toEqual([])
  })
})
