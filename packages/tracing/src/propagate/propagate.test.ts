import { context, propagation, trace } from '@opentelemetry/api'
import { fromMetadataText } from '@svc/core/json'
import { configureGlobalLogger } from '@svc/core/log'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useTracing } from '../../test/support.ts'
import {
  observe,
  type PropagateAttributesParams,
  propagateAttributes,
  startActiveObservation,
  startObservation,
} from '../index.ts'

const { attributes, lines, spans } = useTracing()

/** What a span inside gets. */
function inside(params: PropagateAttributesParams): Record<string, unknown> {
  const name = `inside ${spans().length}`
  propagateAttributes(params, () => startObservation(name).end())
  const { 'svc.observation.type': _, 'svc.internal.is_app_root': __, ...rest } = attributes(name)
  return rest
}

/** The same for values that types would not let through. */
const insideAnything = (params: unknown) => inside(params as PropagateAttributesParams)
const warnings = () => lines().map((line) => line.replace('svc: [WARN] propagateAttributes: ', ''))

describe('propagateAttributes', () => {
  it('sets every value on the spans inside, of any library, also after await', async () => {
    await propagateAttributes(
      {
        userId: 'u',
        sessionId: 's',
        version: 'v',
        traceName: 'n',
        environment: 'staging',
        tags: ['a', 'b'],
        metadata: { plan: 'pro', seats: 5, nested: { a: [1] } },
        prompt: { name: 'p', version: 3 },
      },
      async () => {
        await new Promise(setImmediate)
        trace.getTracer('other').startSpan('theirs').end()
      },
    )
    expect(attributes('theirs')).toMatchObject({
      'user.id': 'u',
      'session.id': 's',
      'svc.version': 'v',
      'svc.trace.name': 'n',
      'svc.environment': 'staging',
      'svc.trace.tags': ['a', 'b'],
      'svc.trace.metadata.plan': '"pro"',
      'svc.trace.metadata.seats': '5',
      'svc.trace.metadata.nested': '{"a":[1]}',
      'svc.observation.prompt.name': 'p',
      'svc.observation.prompt.version': 3,
    })
    startObservation('after').end()
    expect(attributes('after')).not.toHaveProperty('user.id')
  })

  it('sets values on the active span as well, and not on its ancestors', () => {
    startActiveObservation('outer', () =>
      startActiveObservation('active', () => propagateAttributes({ userId: 'u', tags: ['a'] }, () => {})),
    )
    expect(attributes('active')).toMatchObject({ 'user.id': 'u', 'svc.trace.tags': ['a'] })
    expect(attributes('outer')).not.toHaveProperty('user.id')
  })

  it('returns the result of the work, and rethrows its errors', () => {
    const error = new Error('boom')
    expect(propagateAttributes({ userId: 'u' }, () => 42)).toBe(42)
    expect(() =>
      propagateAttributes({}, () => {
        throw error
      }),
    ).toThrow(error)
    expect(() => propagateAttributes({}, null as never)).toThrow(TypeError)
  })

  it('prefers inner values, joins tags and merges metadata by key', () => {
    startActiveObservation('root', () =>
      propagateAttributes({ userId: 'outer', sessionId: 's', tags: ['a', 'b'], metadata: { a: 1, b: 1 } }, () =>
        startActiveObservation('active', () =>
          propagateAttributes({ userId: 'inner', tags: ['b', 'c'], metadata: { b: 2 } }, () =>
            startObservation('in').end(),
          ),
        ),
      ),
    )
    for (const name of ['in', 'active']) {
      expect(attributes(name)).toMatchObject({
        'user.id': 'inner',
        'session.id': 's',
        'svc.trace.tags': ['a', 'b', 'c'],
        'svc.trace.metadata.a': '1',
        'svc.trace.metadata.b': '2',
      })
    }
  })

  it('keeps tags of the active span if none are given', () => {
    propagateAttributes({ tags: ['a'] }, () =>
      startActiveObservation('active', () => {
        propagateAttributes({ tags: ['b'] }, () => {})
        propagateAttributes({ userId: 'u' }, () => {})
      }),
    )
    expect(attributes('active')).toMatchObject({ 'user.id': 'u', 'svc.trace.tags': ['a', 'b'] })
  })

  it("yields to an observation's own prompt and environment", () => {
    propagateAttributes({ prompt: { name: 'outer', version: 1 }, environment: 'outer' }, () =>
      startObservation(
        'own',
        { prompt: { name: 'inner', version: 2 }, environment: 'inner' },
        { asType: 'generation' },
      ).end(),
    )
    expect(attributes('own')).toMatchObject({
      'svc.observation.prompt.name': 'inner',
      'svc.observation.prompt.version': 2,
      'svc.environment': 'inner',
    })
  })
})

describe('an invalid propagated value is dropped with one warning that names it', () => {
  const long = 'x'.repeat(201)

  it.each<[params: unknown, warning: string]>([
    [{ userId: long }, 'userId is dropped: expected a string of at most 200 characters'],
    [{ sessionId: 7 }, 'sessionId is dropped: expected a string of at most 200 characters'],
    [{ version: {} }, 'version is dropped: expected a string of at most 200 characters'],
    [{ traceName: ['n'] }, 'traceName is dropped: expected a string of at most 200 characters'],
    [{ environment: '' }, 'environment is dropped: expected at most 40 of a-z 0-9 - _, not starting with "svc"'],
    [{ environment: 'Prod' }, 'environment is dropped: expected at most 40 of a-z 0-9 - _, not starting with "svc"'],
    [
      { environment: 'svc-prod' },
      'environment is dropped: expected at most 40 of a-z 0-9 - _, not starting with "svc"',
    ],
    [{ tags: 'a' }, 'tags is dropped: expected an array of strings'],
    [{ metadata: 'a' }, 'metadata is dropped: expected an object'],
    [
      { metadata: { k: 'x'.repeat(199) } },
      'metadata.k is dropped: its JSON text has 201 characters, at most 200 are propagated',
    ],
    [{ metadata: { k: () => 1 } }, 'metadata.k is dropped: it has no JSON form'],
    [{ prompt: { name: '', version: 1 } }, 'prompt is dropped: expected a name and a version that is a whole number'],
    [{ prompt: 'p' }, 'prompt is dropped: expected a name and a version that is a whole number'],
    [
      { user: 'ada', sessionID: undefined, group: null },
      'user is dropped: expected one of userId, sessionId, version, traceName, environment, tags, metadata, prompt, asBaggage',
    ],
  ])('%j', (params, warning) => {
    expect(insideAnything(params)).toEqual({})
    expect(warnings()).toEqual([warning])
  })

  it('of each value at most 20 times a minute', () => {
    for (let call = 0; call < 50; call += 1) insideAnything({ userId: 7, metadata: { [`k${call}`]: () => 1 } })
    const about = (what: string) => warnings().filter((line) => line.startsWith(what))
    expect([about('userId is dropped').length, about('metadata.k').length]).toEqual([20, 20])
  })

  it('and valid tags and metadata keys are propagated', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(insideAnything({ tags: ['a', long, 7, 'b'], metadata: { good: 1, cycle }, userId: 'u' })).toEqual({
      'user.id': 'u',
      'svc.trace.tags': ['a', 'b'],
      'svc.trace.metadata.good': '1',
    })
    expect(warnings()).toEqual([
      'tags is dropped: 2 of 4: each expected a string of at most 200 characters',
      'metadata.cycle is dropped: it has no JSON form',
    ])
  })

  it('but 200 characters are valid, quotes included', () => {
    const params = { userId: 'x'.repeat(200), metadata: { plain: 'x'.repeat(198) } }
    expect(Object.keys(inside(params))).toHaveLength(2)
    expect(lines()).toEqual([])
  })

  it('beyond 64 metadata keys, outer ones included', () => {
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`k${from + index}`, 1]))
    propagateAttributes({ metadata: keys(0, 60) }, () =>
      propagateAttributes({ metadata: { ...keys(58, 66) } }, () => startObservation('work', { output: 'o' }).end()),
    )
    const found = Object.keys(attributes('work')).filter((key) => key.startsWith('svc.trace.metadata.'))
    expect(found).toHaveLength(64)
    expect(warnings()).toEqual([
      'metadata.k64 is dropped: at most 64 keys are propagated',
      'metadata.k65 is dropped: at most 64 keys are propagated',
    ])
  })

  it('but an existing key may be replaced at the limit of 64', () => {
    const full = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`k${index}`, 1]))
    propagateAttributes({ metadata: full }, () =>
      propagateAttributes({ metadata: { k63: 2 } }, () => startObservation('work').end()),
    )
    expect(attributes('work')).toMatchObject({ 'svc.trace.metadata.k63': '2' })
    expect(lines()).toEqual([])
  })

  it('without a warning for an empty user or session and a fallback prompt', () => {
    const nothing = {
      userId: '',
      sessionId: null,
      tags: undefined,
      metadata: { a: null, b: undefined },
      environment: null,
    }
    expect(insideAnything({ ...nothing, prompt: { name: 'p', version: 0, isFallback: true } })).toEqual({})
    expect(lines()).toEqual([])
  })

  it('without an error for values that throw when read', () => {
    const throws = () => {
      throw new Error('no')
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const params of [
      proxy,
      null,
      'x',
      {
        get userId() {
          return throws()
        },
      },
      { metadata: proxy },
      { tags: proxy },
      {
        metadata: {
          get a() {
            return throws()
          },
        },
      },
    ]) {
      expect(propagateAttributes(params as never, () => 1)).toBe(1)
    }
  })
})

it('propagated metadata is read back equal, or its key is named in a warning', () => {
  const anyJson = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,20}$/), anyJson, (key, value) => {
      // A fresh logger, because a kind of warning is logged 20 times.
      configureGlobalLogger({ prefix: 'svc:', enableTimestamp: false })
      const before = lines().length
      const text = inside({ metadata: { [key]: value } })[`svc.trace.metadata.${key}`]
      if (text !== undefined) expect(fromMetadataText(String(text))).toEqual(value)
      else if (value !== null) expect(lines().slice(before).join()).toContain(`metadata.${key} is dropped`)
    }),
  )
})

describe('a propagated experiment', () => {
  it('reaches every span inside, and decides the environment', () => {
    const _internalExperiment = {
      experimentId: 'e',
      experimentName: 'run 1',
      experimentMetadata: '{"a":1}',
      experimentDatasetId: 'd',
      experimentItemId: 'i',
      experimentItemMetadata: '{}',
      experimentItemRootObservationId: 'o',
    }
    expect(inside({ _internalExperiment, environment: 'staging' })).toEqual({
      'svc.environment': 'sdk-experiment',
      'svc.experiment.id': 'e',
      'svc.experiment.name': 'run 1',
      'svc.experiment.metadata': '{"a":1}',
      'svc.experiment.dataset.id': 'd',
      'svc.experiment.item.id': 'i',
      'svc.experiment.item.metadata': '{}',
      'svc.experiment.item.root_observation_id': 'o',
    })
  })
})

describe('asBaggage', () => {
  const baggage = (params: PropagateAttributesParams) =>
    propagateAttributes(params, () =>
      Object.fromEntries(
        (propagation.getBaggage(context.active())?.getAllEntries() ?? []).map(([key, { value }]) => [key, value]),
      ),
    )

  it('is off by default', () => {
    expect(baggage({ userId: 'u' })).toEqual({})
  })

  it('puts every value into baggage, metadata as JSON text', () => {
    const params = {
      userId: 'u',
      sessionId: 's',
      version: 'v',
      traceName: 'n',
      environment: 'staging',
      tags: ['a', 'b'],
      metadata: { plan: 'pro', seats: 5 },
      prompt: { name: 'p', version: '3' },
      _internalExperiment: {
        experimentId: 'e',
        experimentName: 'n',
        experimentItemId: 'i',
        experimentItemRootObservationId: 'o',
      },
    }
    expect(baggage({ ...params, asBaggage: true })).toEqual({
      svc_user_id: 'u',
      svc_session_id: 's',
      svc_version: 'v',
      svc_trace_name: 'n',
      svc_environment: 'staging',
      svc_tags: 'a,b',
      svc_metadata_plan: '"pro"',
      svc_metadata_seats: '5',
      svc_prompt_name: 'p',
      svc_prompt_version: '3',
      svc_experiment_id: 'e',
      svc_experiment_name: 'n',
      svc_experiment_item_id: 'i',
      svc_experiment_item_root_observation_id: 'o',
    })
  })

  it('joins tags in baggage, and leaves out tags with a comma', () => {
    const nested = propagateAttributes({ tags: ['a'], asBaggage: true }, () =>
      baggage({ tags: ['b', 'b', 'a', 'c,d'], asBaggage: true }),
    )
    expect(nested).toEqual({ svc_tags: 'a,b' })
    expect(warnings()).toEqual(['tags is dropped: as baggage, 1 of 3: a tag with a comma cannot travel'])
    expect(inside({ tags: ['c,d'], asBaggage: true })).toEqual({ 'svc.trace.tags': ['c,d'] })
  })

  it('replaces foreign tags of another form in baggage', () => {
    const theirs = propagation.createBaggage({ svc_tags: { value: 3 as unknown as string } })
    const tags = context.with(propagation.setBaggage(context.active(), theirs), () =>
      baggage({ tags: ['a'], asBaggage: true }),
    )
    expect(tags).toEqual({ svc_tags: 'a' })
  })

  it('leaves out values that no header can contain', () => {
    expect(
      baggage({ userId: '\ud800', tags: ['\udc00'], metadata: { '\ud800': 1, fine: '\ud800' }, asBaggage: true }),
    ).toEqual({
      svc_metadata_fine: '"\\ud800"',
    })
    expect(warnings()).toHaveLength(3)
  })
})

it('an observed call inside keeps values that were propagated around it', async () => {
  const work = observe(async () => startObservation('child').end(), { name: 'work' })
  await propagateAttributes({ userId: 'u' }, work)
  expect([attributes('work')['user.id'], attributes('child')['user.id']]).toEqual(['u', 'u'])
})

it.each([
  [null, 'null'],
  ['text', 'string'],
])('%j in place of values is reported as what it is', (params, named) => {
  propagateAttributes(params as never, () => 'done')
  expect(lines()).toEqual([`svc: [WARN] propagateAttributes(params, fn) expected an object of values, got ${named}.`])
})
