import { asText, shownName, shownTime } from './describe-text.ts'
import { QUESTIONS } from './parameters.ts'
import type { Answered, Params } from './question.ts'
import type { TraceReader } from './reader.ts'
import { limitOf, readValues, textOf } from './values.ts'

const MOST = 100

/** `prompts`: prompts with their versions and labels. */
export async function prompts(reader: TraceReader, params: Params): Promise<Answered> {
  const values = readValues(params, QUESTIONS.prompts.parameters)
  const name = textOf(values.name)
  const limit = Math.min(MOST, limitOf(values))
  const { data, meta } = await reader.prompts.list({ limit, ...(name !== undefined && { name }) })
  return {
    title: `${data.length} prompts`,
    rows: data.map((each) => ({
      text: `${shownName(each.name)}  ${each.type}  versions ${each.versions.join(', ')}  labels ${shownName(each.labels.join(', '))}  ${shownTime(each.lastUpdatedAt)}`,
      data: { name: each.name, type: each.type, versions: each.versions, labels: each.labels },
    })),
    ...moreOf(data, meta),
  }
}

/** `datasets`: datasets, or the items of one. */
export async function datasets(reader: TraceReader, params: Params): Promise<Answered> {
  const values = readValues(params, QUESTIONS.datasets.parameters)
  const datasetName = textOf(values.name)
  const limit = Math.min(MOST, limitOf(values))
  if (datasetName === undefined) {
    const { data, meta } = await reader.datasets.list({ limit })
    const rows = data.map(({ name, description, createdAt }) => ({
      text: `${shownName(name)}  ${shownTime(createdAt)}  ${shownName(description)}`,
      data: { name, description, createdAt },
    }))
    return { title: `${rows.length} datasets`, rows, ...moreOf(data, meta) }
  }
  const { data, meta } = await reader.datasetItems.list({ datasetName, limit })
  const rows = data.map(({ id, status, input, expectedOutput, sourceTraceId }) => ({
    text: `${shownName(id, 64)}  ${shownName(asText(input), 120)}  →  ${shownName(asText(expectedOutput), 120)}${status === 'ARCHIVED' ? '  archived' : ''}`,
    data: { id, status, input, expectedOutput, sourceTraceId },
  }))
  return { title: `${rows.length} items of dataset ${shownName(datasetName)}`, rows, ...moreOf(data, meta) }
}

function moreOf(
  data: readonly unknown[],
  { totalItems = data.length }: { totalItems?: number },
): Pick<Answered, 'more'> {
  const left = totalItems - data.length
  if (left <= 0) return {}
  return { more: { what: `${left} more`, params: { limit: Math.min(MOST, totalItems) } } }
}
