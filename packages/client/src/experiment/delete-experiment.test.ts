import { expect, it } from 'vitest'
import type { ExperimentItem } from '../api/types/experiments.ts'
import { deleteExperiment } from './delete-experiment.ts'

/** A service with these items, which may ignore what it is asked for. */
function setUp(items: Partial<ExperimentItem>[]) {
  const requests: object[] = []
  const deleted: (readonly string[])[] = []
  const api = {
    experiments: {
      listItems(request: object) {
        requests.push(request)
        return (async function* () {
          yield* items
        })()
      },
    },
    trace: {
      async deleteMultiple({ traceIds }: { traceIds: readonly string[] }) {
        deleted.push(traceIds)
      },
    },
  } as unknown as Parameters<typeof deleteExperiment>[1]
  return { api, requests, deleted }
}

const item = (at: number, more: Partial<ExperimentItem> = {}) => ({
  traceId: `trace ${at}`,
  experimentId: 'e',
  ...more,
})

it('deleting an experiment deletes the traces of all items, a thousand at a time', async () => {
  const { api, requests, deleted } = setUp(Array.from({ length: 2_001 }, (_, at) => item(at)))
  expect(await deleteExperiment({ id: 'e' }, api)).toEqual({ deletedTraces: 2_001 })
  expect(deleted.map((ids) => ids.length)).toEqual([1_000, 1_000, 1])
  expect(requests).toEqual([
    { experimentId: 'e', experimentName: undefined, datasetId: undefined, fromStartTime: new Date(0), limit: 100 },
  ])
})

it('deleting an experiment deletes a trace that several items share once', async () => {
  const { api, deleted } = setUp([item(1), item(1), item(2)])
  await deleteExperiment({ id: 'e' }, api)
  expect(deleted).toEqual([['trace 1', 'trace 2']])
})

it('deleting an experiment keeps traces that a service without the filter lists in addition', async () => {
  const { api, deleted } = setUp([
    item(1, { experimentName: 'run', experimentDatasetId: 'd' }),
    item(2, { experimentName: 'other', experimentDatasetId: 'd' }),
    item(3, { experimentName: 'run', experimentDatasetId: 'other' }),
  ])
  await deleteExperiment({ name: 'run', datasetId: 'd' }, api)
  expect(deleted).toEqual([['trace 1']])
})

it('deleting an experiment without items sends no delete request', async () => {
  const { api, deleted } = setUp([])
  expect(await deleteExperiment({ id: 'e' }, api)).toEqual({ deletedTraces: 0 })
  expect(deleted).toEqual([])
})

it.each([undefined, {}, { id: '' }, { name: '' }, { id: undefined, datasetId: 'd' }])(
  'an experiment name of %j is rejected, because it could match everything',
  async (which) => {
    const { api, requests } = setUp([item(1)])
    await expect(deleteExperiment(which as never, api)).rejects.toThrow('experiment.delete needs the id or the name')
    expect(requests).toEqual([])
  },
)
