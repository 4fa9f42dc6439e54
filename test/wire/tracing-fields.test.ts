import { beforeAll, describe, expect, it } from 'vitest'
import { type Run, useApps } from '../tracing/apps.ts'

const { run } = useApps()
let all: Run
beforeAll(async () => {
  all = await run('fields.mjs', { env: { SVC_TRACING_ENVIRONMENT: 'processor', SVC_RELEASE: 'r1' } })
})

/** What the processor writes on every root, and the type that every observation has. */
const root = (type: string) => ({
  'svc.observation.type': type,
  'svc.environment': 'processor',
  'svc.release': 'r1',
  'svc.internal.is_app_root': true,
})

const spanNamed = (name: string) => all.spans.find((span) => span.name === name)

it('the application ends without output', () => {
  expect({ code: all.code, lines: all.lines }).toEqual({ code: 0, lines: [] })
})

describe('an observation without fields has only its type:', () => {
  it.each([
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
  ])('%s', (kind) => expect(all.attributes(kind)).toEqual(root(kind)))

  it('also with fields that are undefined or null', () => {
    expect(all.attributes('nothing')).toEqual(root('span'))
  })
})

describe('the recorded fields of an observation', () => {
  it("of any kind include its own environment, which wins over the processor's", () => {
    expect(all.attributes('every field of a span')).toEqual({
      ...root('span'),
      'svc.observation.input': 'a question',
      'svc.observation.output': '{"answer":42}',
      'svc.observation.metadata.plan': '"pro"',
      'svc.observation.level': 'WARNING',
      'svc.observation.status_message': 'took long',
      'svc.version': '2.1',
      'svc.environment': 'own',
    })
  })

  it('of a generation include model, parameters and usage', () => {
    expect(all.attributes('every field of a generation')).toEqual({
      ...root('generation'),
      'svc.observation.completion_start_time': '"2026-01-02T03:04:05.678Z"',
      'svc.observation.model.name': 'gpt-test',
      'svc.observation.model.parameters': '{"temperature":0.5,"tool_choice":"auto"}',
      'svc.observation.usage_details': '{"input":12,"output":48}',
      'svc.observation.cost_details': '{"input":0.01,"output":0.02}',
      'svc.observation.prompt.name': 'greeting',
      'svc.observation.prompt.version': 3,
    })
  })

  it('accept usage in the form of OpenAI', () => {
    expect(all.attributes('usage of OpenAI')).toEqual({
      ...root('embedding'),
      'svc.observation.usage_details': '{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}',
    })
  })

  it('do not include a fallback prompt', () => {
    expect(all.attributes('a fallback prompt')).toEqual(root('generation'))
  })

  it.each(['DEBUG', 'DEFAULT', 'WARNING', 'ERROR'])('include the level %s', (level) => {
    expect(all.attributes(`level ${level}`)).toEqual({ ...root('span'), 'svc.observation.level': level })
  })

  it.each(['public by the observation', 'public while active'])('can make the trace %s', (name) => {
    expect(all.attributes(name)).toEqual({ ...root('span'), 'svc.trace.public': true })
  })

  it('are replaced by an update, metadata key by key', () => {
    expect(all.attributes('updated')).toEqual({
      ...root('span'),
      'svc.observation.input': '2',
      'svc.observation.output': 'done',
      'svc.observation.metadata.a': '1',
      'svc.observation.metadata.b': '2',
      'svc.observation.metadata.c': '3',
    })
  })
})

describe('the span of an observation', () => {
  it('has the scope of the SDK and its version', () => {
    for (const { scope } of all.spans) expect(scope).toMatchObject({ name: 'svc-sdk', version: '6.0.0' })
  })

  it('has the given start and end', () => {
    expect(spanNamed('times')).toMatchObject({
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000001500000000',
    })
  })

  it('of an event has no duration', () => {
    expect(spanNamed('an event in the past')).toMatchObject({
      startTimeUnixNano: '1700000000250000000',
      endTimeUnixNano: '1700000000250000000',
      attributes: { ...root('event'), 'svc.observation.input': 'clicked' },
    })
  })
})

describe('observed work', () => {
  it('has its arguments as input and its result as output', () => {
    expect(all.attributes('search')).toEqual({
      ...root('retriever'),
      'svc.observation.input': '["svc",2]',
      'svc.observation.output': '["svc",2]',
    })
  })

  it('has level, message and output of an error with observe', () => {
    expect(all.attributes('a failed function')).toEqual({
      ...root('span'),
      'svc.observation.level': 'ERROR',
      'svc.observation.status_message': 'the index is closed',
      'svc.observation.output': '{"error":"TypeError: the index is closed"}',
    })
  })

  it('has the status of an error with startActiveObservation', () => {
    expect(spanNamed('failed work')).toMatchObject({
      status: { code: 2, message: 'the index is closed' },
      attributes: root('span'),
    })
  })
})
