import { trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { useTracing } from '../test/support.ts'
import { createObservationAttributes, type SvcGenerationAttributes, startObservation } from './index.ts'

const { attributes, lines } = useTracing()

/** What a generation with these fields becomes, its type apart. */
function written(fields: Record<string, unknown>): Record<string, unknown> {
  const { 'svc.observation.type': type, ...rest } = createObservationAttributes('generation', fields)
  expect(type).toBe('generation')
  return rest
}

describe('a field becomes an attribute (contract 2.2)', () => {
  it('with its name and encoding', () => {
    const fields: SvcGenerationAttributes = {
      input: [{ role: 'user', content: 'hi' }],
      output: 'hello',
      metadata: { tenant: 'acme', seats: 5 },
      level: 'WARNING',
      statusMessage: 'slow',
      version: '1.2',
      environment: 'staging',
      completionStartTime: new Date(1_700_000_000_000),
      model: 'gpt-4o',
      modelParameters: { temperature: 0.5, stop: 'END' },
      usageDetails: { input: 12, output: 48 },
      costDetails: { total: 0.01 },
      prompt: { name: 'greeting', version: 3 },
    }
    expect(createObservationAttributes('generation', fields)).toEqual({
      'svc.observation.type': 'generation',
      'svc.observation.input': '[{"role":"user","content":"hi"}]',
      'svc.observation.output': 'hello',
      'svc.observation.metadata.tenant': '"acme"',
      'svc.observation.metadata.seats': '5',
      'svc.observation.level': 'WARNING',
      'svc.observation.status_message': 'slow',
      'svc.version': '1.2',
      'svc.environment': 'staging',
      'svc.observation.completion_start_time': '"2023-11-14T22:13:20.000Z"',
      'svc.observation.model.name': 'gpt-4o',
      'svc.observation.model.parameters': '{"temperature":0.5,"stop":"END"}',
      'svc.observation.usage_details': '{"input":12,"output":48}',
      'svc.observation.cost_details': '{"total":0.01}',
      'svc.observation.prompt.name': 'greeting',
      'svc.observation.prompt.version': 3,
    })
  })

  it('unless it is undefined or null', () => {
    const nothing = { input: undefined, output: null, metadata: null, level: undefined, model: null, prompt: null }
    expect(written(nothing)).toEqual({})
    expect(written({ input: '', output: 0, statusMessage: '', metadata: { a: '', b: false } })).toEqual({
      'svc.observation.input': '',
      'svc.observation.output': '0',
      'svc.observation.status_message': '',
      'svc.observation.metadata.a': '""',
      'svc.observation.metadata.b': 'false',
    })
  })

  it('unchanged for an OpenAI usage object', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, prompt_tokens_details: null }
    expect(written({ usageDetails: usage })['svc.observation.usage_details']).toBe(JSON.stringify(usage))
  })
})

describe('a linked prompt', () => {
  it('is not written for a fallback, without a warning', () => {
    expect(written({ prompt: { name: 'p', version: 1, isFallback: true } })).toEqual({})
    expect(lines()).toEqual([])
  })

  it('may have its version as a string of digits', () => {
    expect(written({ prompt: { name: 'p', version: '12' } })['svc.observation.prompt.version']).toBe(12)
  })

  it.each([[{ name: '', version: 1 }], [{ name: 'p', version: 1.5 }], [{ name: 'p', version: 'v1' }], ['p'], [{}]])(
    'is ignored with a warning if it is %j',
    (prompt) => {
      expect(written({ prompt })).toEqual({})
      expect(lines('prompt of an observation is ignored')).toHaveLength(1)
    },
  )
})

describe('values without a JSON form', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  let deep: unknown = 1
  for (let level = 0; level < 20_000; level += 1) deep = [deep]
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const throws = () => {
    throw new Error('no')
  }

  it.each<[what: string, value: unknown]>([
    ['a cycle', cycle],
    ['20,000 levels', deep],
    ['a revoked proxy', proxy],
    ['a throwing getter', Object.defineProperty({}, 'x', { get: throws, enumerable: true })],
    ['a throwing toJSON', { toJSON: throws }],
    ['a proxy whose traps throw', new Proxy({}, { ownKeys: throws, get: throws, has: throws })],
  ])('are replaced by a note, and other fields are written: %s', (_, value) => {
    const result = written({ input: value, output: 'fine', metadata: { bad: value, good: 1 } })
    expect(result).toEqual({
      'svc.observation.input': '<failed to serialize>',
      'svc.observation.output': 'fine',
      'svc.observation.metadata.bad': '"<failed to serialize>"',
      'svc.observation.metadata.good': '1',
    })
    expect(written({ metadata: cycle })['svc.observation.metadata.self']).toBe('"<failed to serialize>"')
  })

  it('are written as text for bigint, NaN and Infinity', () => {
    expect(written({ input: { small: 5n, large: 2n ** 60n, nan: Number.NaN, far: -Infinity } })).toEqual({
      'svc.observation.input': '{"small":5,"large":"1152921504606846976","nan":"NaN","far":"-Infinity"}',
    })
  })

  it('lose only the field that throws when read', () => {
    const fields = Object.defineProperties({ output: 'fine' } as Record<string, unknown>, {
      input: { get: throws, enumerable: true },
      model: { get: throws, enumerable: true },
      metadata: { get: throws, enumerable: true },
    })
    expect(written(fields)).toEqual({
      'svc.observation.input': '<failed to serialize>',
      'svc.observation.output': 'fine',
      'svc.observation.metadata': '"<failed to serialize>"',
    })
  })

  it('lose only the metadata keys that throw', () => {
    const metadata = Object.defineProperty({ good: 1 }, 'bad', { get: throws, enumerable: true })
    expect(written({ metadata })).toEqual({
      'svc.observation.metadata.good': '1',
      'svc.observation.metadata.bad': '"<failed to serialize>"',
    })
  })

  it.each<[what: string, nonsense: unknown]>([
    ['a revoked proxy', proxy],
    ['a text', 'text'],
    ['a number', 5],
    ['a symbol', Symbol('s')],
  ])('cause no error in place of attributes: %s', (_, nonsense) => {
    expect(() =>
      startObservation('work', nonsense as never)
        .update(nonsense as never)
        .end(),
    ).not.toThrow()
    expect(attributes('work')['svc.observation.type']).toBe('span')
  })

  it('do not include a text of 20 MB, which is written completely', () => {
    const text = 'x'.repeat(20_000_000)
    expect(written({ input: text })['svc.observation.input']).toBe(text)
  })
})

describe('metadata', () => {
  it.each<[metadata: unknown, text: string]>([
    ['prod', '"prod"'],
    [5, '5'],
    [[1, 'a'], '[1,"a"]'],
    [false, 'false'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])('that is not an object (%j) is one value under the bare key', (metadata, text) => {
    expect(written({ metadata })).toEqual({ 'svc.observation.metadata': text })
  })

  it('with toJSON() is written as its result', () => {
    expect(written({ metadata: { secret: 1, toJSON: () => ({ shown: 2 }) } })).toEqual({
      'svc.observation.metadata.shown': '2',
    })
  })

  it('with nested objects has one value for each top-level key', () => {
    expect(written({ metadata: { user: { plan: 'pro', tags: ['a'] } } })).toEqual({
      'svc.observation.metadata.user': '{"plan":"pro","tags":["a"]}',
    })
  })

  it('without a JSON form is dropped with a warning that names the key', () => {
    expect(written({ metadata: { callback: () => {}, mark: Symbol('m'), gone: undefined, none: null } })).toEqual({})
    expect(lines().map((line) => line.slice(12))).toEqual([
      'metadata "callback" is dropped: function has no JSON form.',
      'metadata "mark" is dropped: symbol has no JSON form.',
    ])
  })
})

describe('mistakes in JavaScript that types would prevent', () => {
  const tool = (fields: object) => startObservation('work', fields as never, { asType: 'tool' }).end()

  it('a generation field on a tool is ignored with one warning', () => {
    tool({ model: 'gpt-4o', input: 1 })
    tool({ model: 'gpt-4o' })
    expect(attributes('work')).not.toHaveProperty('svc.observation.model.name')
    expect(lines()).toEqual([
      'svc: [WARN] model is ignored on observations of type tool: it belongs to asType generation or embedding.',
    ])
  })

  it('a misspelt field is ignored with one warning', () => {
    tool({ inputs: 1 })
    tool({ inputs: 1 })
    expect(lines()).toEqual([
      expect.stringContaining('"inputs" is not a field of an observation and is ignored: expected input,'),
    ])
  })

  it('an unknown level is sent unchanged', () => {
    tool({ level: 'WARN' })
    expect(attributes('work')['svc.observation.level']).toBe('WARN')
    expect(
      lines('level "WARN" is not known and is sent unchanged: expected one of DEBUG, DEFAULT, WARNING, ERROR.'),
    ).toHaveLength(1)
  })

  it('a number in place of a string is converted, and an object is ignored', () => {
    expect(written({ version: 2, model: {}, statusMessage: true })).toEqual({
      'svc.version': '2',
      'svc.observation.status_message': 'true',
    })
    expect(lines('model of an observation is ignored: expected a string, got object.')).toHaveLength(1)
  })

  it('a time that is not a Date is converted or ignored', () => {
    const key = 'svc.observation.completion_start_time'
    expect(written({ completionStartTime: '2026-01-01T00:00:00Z' })[key]).toBe('"2026-01-01T00:00:00.000Z"')
    expect(written({ completionStartTime: 0 })[key]).toBe('"1970-01-01T00:00:00.000Z"')
    expect(written({ completionStartTime: 'soon' })).toEqual({})
    expect(lines('completionStartTime of an observation is ignored')).toHaveLength(1)
  })
})

it('nothing is written on a non-recording span', () => {
  trace.disable()
  let read = false
  const input = {
    toJSON() {
      read = true
    },
  }
  startObservation('work', { input }).update({ input }).end()
  expect(read).toBe(false)
})
