import { useState } from 'preact/hooks'
import { decodedExactly } from '../../src/json-text.ts'
import { request, useAnswer } from './api.ts'
import { FormEnd } from './form-end.tsx'
import type { ListPage } from './listing.tsx'

/** What becomes an item: a trace as a whole, by its root, or one of its observations. */
export interface ItemSource {
  readonly traceId: string
  readonly observationId?: string
}

interface Props {
  readonly sources: readonly ItemSource[]
  /** Called with what was done. */
  readonly onAdded: (done: string) => void
}

/** Adds items to a dataset, which is created where there is none of that name. What is in it already is left out. */
export function AddToDataset({ sources, onAdded }: Props) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState('')
  const { data: known } = useAnswer<ListPage<{ name: string }>>(open ? '/api/public/v2/datasets?limit=100' : undefined)
  const label = sources.length === 1 ? 'Add to dataset' : `Add ${sources.length} to dataset`
  if (!open) {
    return (
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {label}
      </button>
    )
  }
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const [name = '', expected = ''] = ['dataset', 'expected'].map((field) => String(form.get(field) ?? '').trim())
    try {
      const added = await addItems(name, sources, expected)
      setOpen(false)
      setError('')
      onAdded(`${added} added to ${name}${added < sources.length ? ', the rest is in it' : ''}`)
    } catch (failed) {
      setError((failed as Error).message)
    }
  }
  return (
    <form class="add-score" onSubmit={onSubmit}>
      <input name="dataset" required placeholder="dataset" aria-label="Dataset" list="datasets" size={14} />
      <datalist id="datasets">
        {known?.data.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <input name="expected" placeholder="expected output" aria-label="Expected output" size={16} />
      <button type="submit">{label}</button>
      <FormEnd error={error} onCancel={() => setOpen(false)} />
    </form>
  )
}

async function addItems(datasetName: string, sources: readonly ItemSource[], expected: string): Promise<number> {
  const url = `/api/public/v2/datasets/${encodeURIComponent(datasetName)}`
  const exists = await request(url).catch(async (error: Error & { status?: number }) => {
    if (error.status !== 404) throw error
    await request('/api/public/v2/datasets', { method: 'POST', body: { name: datasetName } })
  })
  let added = 0
  for (const source of sources) {
    if (exists && (await isItem(datasetName, source))) continue
    const body = {
      ...itemOf(datasetName, source, await inputOf(source)),
      expectedOutput: expected === '' ? undefined : decodedExactly(expected),
    }
    await request('/api/public/dataset-items', { method: 'POST', body })
    added += 1
  }
  return added
}

const itemOf = (datasetName: string, { traceId, observationId }: ItemSource, input: unknown) => ({
  ...{ datasetName, sourceTraceId: traceId, input },
  ...(observationId !== undefined && { sourceObservationId: observationId }),
})

async function isItem(datasetName: string, { traceId, observationId }: ItemSource): Promise<boolean> {
  const query = new URLSearchParams({ datasetName, sourceTraceId: traceId, limit: '100' })
  if (observationId !== undefined) query.set('sourceObservationId', observationId)
  const { data } = await request<ListPage<{ sourceObservationId: string | null }>>(`/api/public/dataset-items?${query}`)
  return data.some(({ sourceObservationId: id }) => id === (observationId ?? null))
}

/** @throws {Error} where the observation, or the root of the trace, has not arrived */
async function inputOf({ traceId, observationId }: ItemSource): Promise<unknown> {
  const which =
    observationId === undefined
      ? { type: 'boolean', column: 'isRootObservation', operator: '=', value: true }
      : { type: 'string', column: 'id', operator: '=', value: observationId }
  const filter = [{ type: 'string', column: 'traceId', operator: '=', value: traceId }, which]
  const query = new URLSearchParams({ filter: JSON.stringify(filter), fields: 'core,io' })
  const { data } = await request<ListPage<{ input: string | null }>>(`/api/public/v2/observations?${query}`)
  const [found] = data
  if (!found) throw new Error(`The root of trace ${traceId.slice(0, 8)} has not arrived.`)
  return found.input === null ? null : decodedExactly(found.input)
}
