import type { StreamSchema } from '../gen-ai/accumulator.ts'
import { last, list, type MergeRule, type Merger, object, text } from '../gen-ai/merge.ts'
import { asArray, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'
import { readContentResponse } from './generate.ts'
import { continuesCall, PartialCall } from './partial-calls.ts'

/** Most parts of one candidate. */
const PART_LIMIT = 1_000

interface StreamedPart {
  readonly first: Fields
  /** The pieces of a text part. */
  readonly pieces?: Merger | undefined
  /** The arguments of a call. */
  readonly call?: PartialCall | undefined
}

/**
 * Parts have no index: a text delta continues the previous part if that is a text of the same kind, and a call without a
 * name the previous call; other parts arrive whole.
 */
const parts: MergeRule = (budget) => {
  const streamedParts: StreamedPart[] = []
  const open = (part: Fields): StreamedPart | undefined => {
    const before = streamedParts.at(-1)
    const isText = asString(part.text) !== undefined
    if (isText && before?.pieces && isThought(before.first) === isThought(part)) return before
    if (before?.call && continuesCall(before.first, part)) return before
    if (streamedParts.length >= PART_LIMIT) return undefined
    const started = {
      first: part,
      pieces: isText ? text(budget) : undefined,
      call: isObject(part.functionCall) ? new PartialCall(budget) : undefined,
    }
    streamedParts.push(started)
    return started
  }
  return {
    add(deltas) {
      const added = asArray(deltas).map(asRecord)
      for (const part of added) {
        const { pieces, call } = open(part) ?? {}
        pieces?.add(part.text)
        call?.add(part)
      }
      return added.length > 0
    },
    get value() {
      return streamedParts.map(({ first, pieces, call }) => {
        if (pieces) return { thought: isThought(first), text: pieces.value ?? '' }
        return call ? call.withArguments(first) : first
      })
    },
  }
}

/** Chunks of streamed content. */
export const contentStream: StreamSchema = {
  table: {
    candidates: list({
      content: { parts },
      finishReason: last,
      finishMessage: last,
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
