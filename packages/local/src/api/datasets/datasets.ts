import { randomUUID } from 'node:crypto'
import { type Answer, json, notFound } from '../../http/answer.ts'
import { anything, name, optional, readFields, text } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService, WriteService } from '../../service.ts'
import type { StoredDataset } from '../../store/dataset.ts'
import type { ReadStore } from '../../store/read-store.ts'
import { allOf } from '../../store/rows.ts'
import { PROJECT } from '../about.ts'
import { jsonBody } from '../body.ts'
import { isoDate } from '../known.ts'
import { listPage, readPage } from '../paging.ts'

/** `POST /api/public/v2/datasets`. A name that exists already is written again. */
export async function createDataset(call: Call, { store }: WriteService): Promise<Answer> {
  const { name, description, metadata, inputSchema, expectedOutputSchema } = readFields(await jsonBody(call), FIELDS)
  const now = Date.now()
  const dataset: StoredDataset = {
    id: randomUUID(),
    name,
    description: description ?? null,
    metadata: metadata ?? null,
    inputSchema: inputSchema ?? null,
    expectedOutputSchema: expectedOutputSchema ?? null,
    createdAt: now,
    updatedAt: now,
  }
  store.write(() => store.datasets.put(dataset))
  return json(200, datasetShape(datasetNamed(name, store)))
}

const FIELDS = {
  name,
  description: optional(text),
  metadata: anything,
  inputSchema: anything,
  expectedOutputSchema: anything,
}

/** `GET /api/public/v2/datasets/{datasetName}`. */
export function getDataset({ params }: Call, { store }: WriteService): Answer {
  return json(200, datasetShape(datasetNamed(params.datasetName ?? '', store)))
}

/** `GET /api/public/v2/datasets`, in the order in which they were created. */
export function listDatasets({ query }: Call, { store }: ReadService): Answer {
  return listPage(store.datasets, allOf([]), readPage(query), datasetShape)
}

/** @throws Refusal 404 */
export function datasetNamed(name: string, { datasets }: ReadStore): StoredDataset {
  const dataset = datasets.one({ name })
  if (!dataset) throw notFound(`Dataset not found: '${name}'`)
  return dataset
}

/** `Dataset` (appendix A). */
function datasetShape({ createdAt, updatedAt, ...dataset }: StoredDataset) {
  return {
    ...dataset,
    projectId: PROJECT.id,
    createdAt: isoDate(createdAt),
    updatedAt: isoDate(updatedAt),
  }
}
