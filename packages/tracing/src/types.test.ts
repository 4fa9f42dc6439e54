import { describe, expect, expectTypeOf, it } from 'vitest'
import * as tracing from './index.ts'
import {
  type AttributesOf,
  type ObservationKind,
  observe,
  propagateAttributes,
  SvcEvent,
  SvcGeneration,
  type SvcObservation,
  type SvcTool,
  startActiveObservation,
  startObservation,
  updateActiveObservation,
} from './index.ts'

/** What is in here is compiled and never runs. */
const compiled = (_: () => unknown) => {}

describe('the exports of the package', () => {
  it('are those of contract 2, without the members removed in v6, and setRoute', () => {
    expect(Object.keys(tracing).sort()).toEqual([
      'LogLevel',
      'SvcAgent',
      'SvcChain',
      'SvcEmbedding',
      'SvcEvaluator',
      'SvcEvent',
      'SvcGeneration',
      'SvcGuardrail',
      'SvcOtelSpanAttributes',
      'SvcRetriever',
      'SvcSpan',
      'SvcTool',
      'configureGlobalLogger',
      'createLogger',
      'createObservationAttributes',
      'createTraceId',
      'getActiveSpanId',
      'getActiveTraceId',
      'getGlobalLogger',
      'getSvcTracer',
      'getSvcTracerProvider',
      'observe',
      'propagateAttributes',
      'resetGlobalLogger',
      'setActiveTraceAsPublic',
      'setRoute',
      'setSvcTracerProvider',
      'startActiveObservation',
      'startObservation',
      'updateActiveObservation',
      'withoutSvcBaggage',
    ])
    const span = startObservation('work')
    expect('setTraceIO' in span).toBe(false)
    compiled(() => {
      // @ts-expect-error removed in v6: trace input and output are those of the root observation
      tracing.setActiveTraceIO({ input: 1 })
      // @ts-expect-error removed in v6: update the root observation
      span.setTraceIO({ input: 1 })
      // @ts-expect-error removed in v6: use propagateAttributes
      tracing.createTraceAttributes({ name: 'n' })
      // @ts-expect-error removed in v6 with createTraceAttributes
      const attributes: tracing.SvcTraceAttributes = {}
      return attributes
    })
  })
})

describe('the kind of an observation decides its type', () => {
  it('through asType, with span as default', () => {
    expectTypeOf(startObservation('s')).toEqualTypeOf<tracing.SvcSpan>()
    expectTypeOf(startObservation('g', { model: 'm' }, { asType: 'generation' })).toEqualTypeOf<SvcGeneration>()
    expectTypeOf(startObservation('s').startObservation('t', {}, { asType: 'tool' })).toEqualTypeOf<SvcTool>()
    startActiveObservation('s', (span) => expectTypeOf(span).toEqualTypeOf<tracing.SvcSpan>())
    startActiveObservation('t', (tool) => expectTypeOf(tool).toEqualTypeOf<SvcTool>(), { asType: 'tool' })
  })

  it('through the class and the type field', () => {
    const one = startObservation('g', {}, { asType: 'generation' }) as SvcObservation
    if (one instanceof SvcGeneration) expectTypeOf(one).toExtend<SvcGeneration>()
    if (one.type === 'embedding') one.update({ model: 'm' })
    if (one.type !== 'event') one.update({ output: 1 })
    expect(one).not.toBeInstanceOf(SvcEvent)
  })

  it('and a kind known only at run time has the common fields', () => {
    const asType = 'agent' as ObservationKind
    const one = startObservation('one', { input: 1 }, { asType })
    expectTypeOf(one).toEqualTypeOf<SvcObservation>()
  })
})

describe('misuse does not compile', () => {
  it('for generation fields on another kind', () => {
    compiled(() => {
      // @ts-expect-error a tool has no model
      startObservation('t', { model: 'm' }, { asType: 'tool' })
      // @ts-expect-error a span has no usage
      startObservation('s', { usageDetails: { input: 1 } })
      // @ts-expect-error an agent has no costs
      startActiveObservation('a', (agent) => agent.update({ costDetails: { total: 1 } }), { asType: 'agent' })
      // @ts-expect-error a retriever has no prompt
      startObservation('s').startObservation('r', { prompt: { name: 'p', version: 1 } }, { asType: 'retriever' })
      // @ts-expect-error a tool has no model
      updateActiveObservation({ model: 'm' }, { asType: 'tool' })
      // @ts-expect-error a chain has no model parameters
      const attributes: AttributesOf<'chain'> = { modelParameters: {} }
      return attributes
    })
    compiled(() => updateActiveObservation({ model: 'm' }))
    compiled(() =>
      startObservation('e', { model: 'm' }, { asType: 'embedding' }).update({ usageDetails: { input: 1 } }),
    )
  })

  it('for an update of an event', () => {
    compiled(() => {
      const event = startObservation('e', {}, { asType: 'event' })
      // @ts-expect-error an event is over when it is made
      event.update({ output: 1 })
      // @ts-expect-error an event is over when it is made
      startActiveObservation('e', (active) => active.update({ output: 1 }), { asType: 'event' })
    })
  })

  it('for unknown kinds and levels', () => {
    compiled(() => {
      // @ts-expect-error no such kind
      startObservation('s', {}, { asType: 'agnet' })
      // @ts-expect-error no such level
      startObservation('s', { level: 'WARN' })
      // @ts-expect-error no such field
      startObservation('s', { inputs: 1 })
      // @ts-expect-error a name is a text
      startObservation(1)
      // @ts-expect-error metadata of a trace has keys
      propagateAttributes({ metadata: 'plan' }, () => {})
      // @ts-expect-error no such parameter
      propagateAttributes({ user: 'u' }, () => {})
      // @ts-expect-error a generation is made with a version of a prompt
      startObservation('g', { prompt: { name: 'p' } }, { asType: 'generation' })
    })
  })
})

describe('observe', () => {
  it('keeps the signature, generics and this included', () => {
    const first = observe(<T>(list: readonly T[]): T | undefined => list[0])
    expectTypeOf(first(['a'])).toEqualTypeOf<string | undefined>()
    const greet = observe(function greet(this: { name: string }, greeting: string) {
      return `${greeting} ${this.name}`
    })
    expectTypeOf<ThisParameterType<typeof greet>>().toEqualTypeOf<{ name: string }>()
    const steps = observe(async function* (count: number) {
      yield count
    })
    expectTypeOf(steps).toEqualTypeOf<(count: number) => AsyncGenerator<number, void, unknown>>()
    compiled(() => {
      // @ts-expect-error the first argument is a list
      first(1)
      // @ts-expect-error observe takes a function
      observe('search')
      // @ts-expect-error no such kind
      observe(() => 1, { asType: 'function' })
    })
  })

  it('and the helpers return the type of the work', () => {
    expectTypeOf(startActiveObservation('s', async () => 1)).toEqualTypeOf<Promise<number>>()
    expectTypeOf(propagateAttributes({}, () => 'text')).toEqualTypeOf<string>()
  })

  it('may have a function with inferred argument types', () => {
    const search = observe((query) => [query], { asType: 'retriever' })
    expect(search('anything')).toEqual(['anything'])
  })
})
