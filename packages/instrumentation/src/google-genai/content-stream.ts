import type { StreamSchema } from '../gen-ai/accumulator.ts'
import { last, list, type MergeRule, type Merger, object, text } from '../gen-ai/merge.ts'
import { asArray, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import { readContentResponse } from './generate.ts'

/** Most parts of one candidate. */
const PART_LIMIT = 1_000

interface StreamedPart {
  readonly first: Fields
  /** The pieces of a text part. */
  readonly pieces?: Merger
}

/**
 * Parts have no index: a text delta continues the previous part if that is a text of the same kind; other parts arrive
 * whole.
 */
const parts: MergeRule = (budget) => {
  const streamedParts: StreamedPart[] = []
  const add = (part: Fields): void => {
    const before = streamedParts.at(-1)
    const isText = asString(part.text) !== undefined
    const continued = isText && isThought(before?.first) === isThought(part) ? before?.pieces : undefined
    if (!continued && streamedParts.length >= PART_LIMIT) return
    const pieces = isText ? (continued ?? text(budget)) : undefined
    pieces?.add(part.text)
    if (!continued) streamedParts.push(pieces ? { first: part, pieces } : { first: part })
  }
  return {
    add(deltas) {
      const added = asArray(deltas).map(asRecord)
      added.forEach(add)
      return added.length > 0
    },
    get value() {
      return streamedParts.map(({ first, pieces }) =>
        pieces ? { thought: isThought(first), text: pieces.value ?? '' } : first,
      )
    },
  }
}

/** Chunks of streamed content. */
export const contentStream: StreamSchema = {
  table: {
    candidates: list({
      content: { parts },
      finishReason: last,
      // Searches are priced.
      groundingMetadata: { webSearchQueries: last, groundingChunks: last },
      citationMetadata: object,
    }),
    usageMetadata: object,
    modelVersion: last,
    responseId: last,
    promptFeedback: object,
  },
  isComplete({ candidates }) {
    const all = asArray(candidates).map(asRecord)
    return all.length > 0 && all.every(({ finishReason }) => finishReason !== undefined)
  },
  readResponse: readContentResponse,
}

function isThought(part: unknown): boolean {
  return asRecord(part).thought === true
}
