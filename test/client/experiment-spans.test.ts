import { startActiveObservation, startObservation } from '@svc/tracing'
import { describe, expect, it } from 'vitest'
import { useLaboratory } from './experiment-support.ts'

const laboratory = useLaboratory()
const hex = (digits: number) => expect.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`))

const norway = {
  id: 'item-1',
  datasetId: 'd',
  input: { country: 'Norway' },
  expectedOutput: { city: 'Oslo' },
  metadata: { level: 1, experiment_name: 'not this' },
}

/** Runs one item whose task makes a span, and gives the attributes of both. */
async function spansOf(params: object, item: object = norway) {
  const { experiment, spans } = laboratory()
  const task = async () => {
    startObservation('inside').end()
    return 'Oslo'
  }
  const result = await experiment.run({ name: 'capitals', data: [item], task, ...params })
  const [root, inside] = [spans('experiment-item-run')[0], spans('inside')[0]]
  if (!root || !inside) throw new Error('the item left no spans')
  return { result, root, inside }
}

describe('the spans of an experiment item', () => {
  it('have the attributes of the experiment and the item', async () => {
    const metadata = { commit: 'abc', level: 2 }
    const { root, result } = await spansOf({
      runName: 'run 1',
      description: 'nightly',
      metadata,
      datasetVersion: '2026-01-01T00:00:00Z',
    })
    expect(root.attributes).toEqual({
      'svc.observation.type': 'span',
      'svc.observation.input': '{"country":"Norway"}',
      'svc.observation.output': 'Oslo',
      'svc.observation.metadata.level': '2',
      'svc.observation.metadata.commit': '"abc"',
      'svc.observation.metadata.experiment_name': '"capitals"',
      'svc.observation.metadata.experiment_run_name': '"run 1"',
      'svc.observation.metadata.dataset_id': '"d"',
      'svc.observation.metadata.dataset_item_id': '"item-1"',
      'svc.environment': 'sdk-experiment',
      'svc.experiment.id': result.experimentId,
      'svc.experiment.name': 'run 1',
      'svc.experiment.description': 'nightly',
      'svc.experiment.metadata': '{"commit":"abc","level":2}',
      'svc.experiment.dataset.id': 'd',
      'svc.experiment.item.id': 'item-1',
      'svc.experiment.item.version': '2026-01-01T00:00:00.000Z',
      'svc.experiment.item.expected_output': '{"city":"Oslo"}',
      'svc.experiment.item.metadata': '{"level":1,"experiment_name":"not this"}',
      'svc.experiment.item.root_observation_id': root.spanContext().spanId,
      'svc.internal.is_app_root': true,
    })
  })

  it('below the item have its id, without attributes of the item span itself', async () => {
    const { root, inside, result } = await spansOf({ runName: 'run 1', description: 'x', datasetVersion: new Date(0) })
    expect(inside.parentSpanContext?.spanId).toBe(root.spanContext().spanId)
    expect(inside.attributes).toEqual({
      'svc.observation.type': 'span',
      'svc.environment': 'sdk-experiment',
      'svc.experiment.id': result.experimentId,
      'svc.experiment.name': 'run 1',
      'svc.experiment.dataset.id': 'd',
      'svc.experiment.item.id': 'item-1',
      'svc.experiment.item.metadata': '{"level":1,"experiment_name":"not this"}',
      'svc.experiment.item.root_observation_id': root.spanContext().spanId,
    })
  })

  it('of local data have an item id derived from the input, and no dataset', async () => {
    const { root, result } = await spansOf({}, { input: { country: 'Norway' }, id: 'mine' })
    // printf '{"country":"Norway"}' | sha256sum
    expect(root.attributes['svc.experiment.item.id']).toBe('6223c2f901f7b54b')
    expect(Object.keys(root.attributes).filter((key) => /dataset|version|expected|description/.test(key))).toEqual([])
    expect(result).toMatchObject({ experimentId: hex(16), datasetRunId: undefined, datasetRunUrl: undefined })
  })

  it('of local data that are bytes have different ids, and are recorded as a placeholder', async () => {
    const { experiment, spans } = laboratory()
    const data = ['a', 'b'].map((text) => ({ input: { audio: Buffer.from(text) } }))
    await experiment.run({ name: 'x', data, task: () => 'heard' })
    const [one, other] = spans('experiment-item-run').map(({ attributes }) => attributes)
    expect(one?.['svc.experiment.item.id']).not.toBe(other?.['svc.experiment.item.id'])
    expect(one?.['svc.observation.input']).toBe('{"audio":"[Buffer: 1 bytes]"}')
  })

  it('have string metadata and expected output unchanged', async () => {
    const { root } = await spansOf({}, { input: 'a', expectedOutput: 'Oslo', metadata: 'note' })
    expect(root.attributes).toMatchObject({
      'svc.experiment.item.expected_output': 'Oslo',
      'svc.experiment.item.metadata': 'note',
    })
  })

  it('are separate traces, whatever is active outside', async () => {
    const { experiment, spans } = laboratory()
    await startActiveObservation('request', () =>
      experiment.run({ name: 'x', data: [{ input: 1 }, { input: 2 }], task: ({ input }) => input }),
    )
    const traces = spans().map((span) => span.spanContext().traceId)
    expect(new Set(traces).size).toBe(3)
    expect(spans('experiment-item-run').map((span) => span.parentSpanContext)).toEqual([undefined, undefined])
  })

  it('end before the evaluators run, whose spans have the experiment environment', async () => {
    const { experiment, spans } = laboratory()
    await experiment.run({
      name: 'x',
      data: [{ input: 1 }],
      task: () => 'done',
      evaluators: [
        () => {
          expect(spans('experiment-item-run')).toHaveLength(1)
          startObservation('judge').end()
          return { name: 'good', value: 1 }
        },
      ],
    })
    const [judge] = spans('judge')
    expect(judge?.attributes['svc.environment']).toBe('sdk-experiment')
    expect(judge?.attributes['svc.experiment.id']).toBe(undefined)
  })

  it('do not wait for a returned stream that is never read', async () => {
    const { experiment, spans } = laboratory()
    async function* words() {
      yield 'a'
    }
    await experiment.run({ name: 'x', data: [{ input: 1 }], task: async () => words() })
    expect(spans('experiment-item-run')).toHaveLength(1)
  })

  it('of a failed task have the error and the input', async () => {
    const { experiment, spans } = laboratory()
    const task = () => Promise.reject(new Error('no model'))
    await experiment.run({ name: 'x', data: [{ input: 'Norway' }], task })
    const [root] = spans('experiment-item-run')
    expect(root?.status).toMatchObject({ code: 2, message: 'no model' })
    expect(root?.attributes['svc.observation.input']).toBe('Norway')
  })
})
