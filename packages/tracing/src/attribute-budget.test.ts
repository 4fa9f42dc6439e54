import { describe, expect, it } from 'vitest'
import { useTracing } from '../test/support.ts'
import { fitToLimit } from './attribute-budget.ts'
import { startObservation } from './index.ts'

const many = (count: number, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]))
const metadataKeys = (attributes: object) =>
  Object.keys(attributes).flatMap((key) => key.match(/^svc\.observation\.metadata\.(.*)$/)?.slice(1) ?? [])

describe('metadata that overflows', () => {
  const { attributes, lines, span } = useTracing()

  it('keeps all other attributes, loses its last keys, and names them in one line', () => {
    const generation = startObservation('work', { metadata: many(200) }, { asType: 'generation' })
    generation
      .update({
        input: 'i',
        output: 'o',
        level: 'ERROR',
        statusMessage: 's',
        version: 'v',
        environment: 'e',
        completionStartTime: new Date(),
        model: 'm',
        modelParameters: { t: 1 },
        usageDetails: { input: 1 },
        costDetails: { total: 1 },
        prompt: { name: 'p', version: 1 },
      })
      .setTraceAsPublic()
      .end()
    const keys = Object.keys(attributes('work'))
    expect(keys).toHaveLength(128)
    expect(span('work').droppedAttributesCount).toBe(0)
    expect(attributes('work')).toMatchObject({ 'svc.observation.output': 'o', 'svc.trace.public': true })
    const kept = metadataKeys(attributes('work'))
    expect(kept).toEqual(Object.keys(many(kept.length)))
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toContain('a span can have at most 128 attributes: ')
    for (let index = kept.length; index < 200; index += 1) expect(lines()[0]).toMatch(new RegExp(`\\bk${index}\\b`))
  })

  it('overwrites existing keys, however full the span is', () => {
    const observation = startObservation('work', { metadata: many(200) })
    observation.update({ metadata: { k0: 'new', k199: 'dropped again', more: 1 } }).end()
    expect(attributes('work')['svc.observation.metadata.k0']).toBe('"new"')
    expect(lines()[1]).toContain('attributes: k199, more.')
  })

  it('is reported at most 20 times a minute', () => {
    for (let request = 0; request < 50; request += 1) startObservation('work', { metadata: many(200) }).end()
    expect(lines()).toHaveLength(20)
  })

  it('is counted across updates', () => {
    const observation = startObservation('work')
    for (const prefix of ['a', 'b', 'c']) observation.update({ metadata: many(50, prefix) })
    observation.update({ output: 'o' }).end()
    expect(attributes('work')['svc.observation.output']).toBe('o')
    expect(span('work').droppedAttributesCount).toBe(0)
    expect(lines()).toHaveLength(1)
  })

  it('with 100 keys loses none', () => {
    startObservation('work', { metadata: many(100) })
      .update({ output: 'o' })
      .end()
    expect(metadataKeys(attributes('work'))).toHaveLength(100)
    expect(lines()).toEqual([])
  })
})

describe('a provider with its own attribute limit', () => {
  const { attributes, span } = useTracing({ spanLimits: { attributeCountLimit: 20 } })

  it('is respected', () => {
    startObservation('work', { metadata: many(200) })
      .update({ input: 'i', output: 'o', level: 'DEBUG' })
      .end()
    expect(attributes('work')).toMatchObject({ 'svc.observation.input': 'i', 'svc.observation.output': 'o' })
    expect(span('work').droppedAttributesCount).toBe(0)
    expect(metadataKeys(attributes('work')).length).toBeGreaterThan(5)
  })
})

describe('a span without readable attributes', () => {
  const { lines } = useTracing()

  it('is treated as empty with the default limit', () => {
    const metadata = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${index}`, '1']))
    const kept = fitToLimit({} as never, { output: 'o' }, metadata, ['output', 'input'])
    expect(Object.keys(kept)).toHaveLength(126)
    expect(lines()).toHaveLength(1)
  })
})
