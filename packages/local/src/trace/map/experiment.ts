import { ATTRIBUTE } from '@svc/core/attributes'
import { decodedExactly } from '../../json-text.ts'
import type { ExperimentItem } from '../../store/observation.ts'
import type { Attributes, ReceivedSpan, Value } from '../../store/received.ts'
import { isMap, readText, type ValueMap } from './read.ts'

/**
 * The experiment item whose root a span is (contract 2.2 and 5.4); null for all others. Spans below carry the same
 * attributes, and name the root.
 */
export function experimentOf({ attributes, spanId }: ReceivedSpan): ExperimentItem | null {
  const id = readText(attributes[ATTRIBUTE.EXPERIMENT_ID])
  const itemId = readText(attributes[ATTRIBUTE.EXPERIMENT_ITEM_ID])
  const root = readText(attributes[ATTRIBUTE.EXPERIMENT_ITEM_ROOT_OBSERVATION_ID]) ?? spanId
  if (id === undefined || itemId === undefined || root !== spanId) return null
  return {
    id,
    name: readText(attributes[ATTRIBUTE.EXPERIMENT_NAME]) ?? id,
    description: readText(attributes[ATTRIBUTE.EXPERIMENT_DESCRIPTION]) ?? null,
    metadata: metadataOf(attributes[ATTRIBUTE.EXPERIMENT_METADATA]),
    datasetId: readText(attributes[ATTRIBUTE.EXPERIMENT_DATASET_ID]) ?? null,
    itemId,
    itemVersion: versionOf(attributes),
    expectedOutput: valueOfText(attributes[ATTRIBUTE.EXPERIMENT_ITEM_EXPECTED_OUTPUT]),
    itemMetadata: metadataOf(attributes[ATTRIBUTE.EXPERIMENT_ITEM_METADATA]),
  }
}

/** Anything but a date counts as no version. */
function versionOf(attributes: Attributes): string | null {
  const time = Date.parse(readText(attributes[ATTRIBUTE.EXPERIMENT_ITEM_VERSION]) ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

function valueOfText(value: Value | undefined): Value {
  return typeof value === 'string' ? (decodedExactly(value) as Value) : (value ?? null)
}

/** Maps in maps become dotted paths; what is no map has the key `metadata`. */
function metadataOf(value: Value | undefined): ValueMap | null {
  if (value === undefined || value === null) return null
  const decodedValue = valueOfText(value)
  return Object.fromEntries(isMap(decodedValue) ? flattened(decodedValue, '') : [['metadata', decodedValue]])
}

function flattened(map: ValueMap, path: string): [string, Value][] {
  return Object.entries(map).flatMap(([key, value]): [string, Value][] => {
    const full = `${path}${key}`
    return isMap(value) && Object.keys(value).length > 0 ? flattened(value, `${full}.`) : [[full, value]]
  })
}
