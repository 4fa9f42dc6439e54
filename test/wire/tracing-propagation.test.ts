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

describe('a propagated value', () => {
  it('reaches the observations inside', () => {
    expect(all.attributes('inside')).toEqual({ ...span, ...EVERYTHING })
  })

  it('reaches calls of instrumented packages', () => {
    expect(all.attributes('chat gpt-test')).toMatchObject(EVERYTHING)
  })

  it('is set on the active span, and on no span that started before or after', () => {
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

  it("wins over the processor, and an observation's own value wins over both", () => {
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

  it('is merged with inner values: tags joined, metadata by key, others replaced', () => {
    expect(all.attributes('deeper')).toEqual({
      ...span,
      ...EVERYTHING,
      'user.id': 'bob',
      'svc.trace.tags': ['a', 'b', 'c'],
      'svc.trace.metadata.seats': '6',
      'svc.trace.metadata.color': '"red"',
    })
  })

  it('keeps an outer prompt under a fallback prompt, which is not linked', () => {
    expect(all.attributes('under a fallback')).toEqual({ ...span, ...EVERYTHING })
  })
})

describe('an invalid propagated value', () => {
  it('is dropped individually, and others are propagated', () => {
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
    'is reported once: %s',
    (what) => {
      expect(all.lines.filter((line) => line.includes(`propagateAttributes: ${what} is dropped: `))).toHaveLength(1)
    },
  )

  it('causes no warning if it is empty', () => {
    expect(all.lines.filter((line) => /traceName|sessionId|metadata\.fits/.test(line))).toEqual([])
  })
})
