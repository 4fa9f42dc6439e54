import type { Attributes } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import type { StreamSchema } from '../gen-ai/accumulator.ts'
import type { Part, RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { describeResponseFailure } from '../gen-ai/failure.ts'
import { last, text } from '../gen-ai/merge.ts'
import { type NumberTable, readNumbers } from '../gen-ai/parameters.ts'
import { parseJson, textPart, uriPart } from '../gen-ai/parts.ts'
import { asArray, asName, asNumber, asRecord, asString, type Fields, isMethod, isObject } from '../gen-ai/read.ts'

/** Models define their own input: these names are common to most. */
const NUMBERS: NumberTable = Object.entries({
  [GEN_AI.REQUEST_MAX_TOKENS]: ['max_completion_tokens', 'max_tokens', 'max_new_tokens'],
  [GEN_AI.REQUEST_TEMPERATURE]: ['temperature'],
  [GEN_AI.REQUEST_TOP_P]: ['top_p'],
  [GEN_AI.REQUEST_TOP_K]: ['top_k'],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY]: ['frequency_penalty'],
  [GEN_AI.REQUEST_PRESENCE_PENALTY]: ['presence_penalty'],
  [GEN_AI.REQUEST_SEED]: ['seed'],
})

export function readParameters(input: Fields): Attributes {
  return readNumbers(input, NUMBERS)
}

/**
 * Reads the input as a prompt with its files; for a model without a prompt, the input itself. File contents are not
 * recorded.
 */
export function readRequest(input: Fields): RequestContent {
  const { prompt, system_prompt } = input
  if (asString(prompt) === undefined) return { input: withoutFiles(input) }
  const pictures = Object.values(input).flatMap((value) => (value === prompt ? [] : asArray(value).flatMap(toUriPart)))
  return {
    ...(asString(system_prompt) ? { instructions: [textPart(system_prompt)] } : {}),
    messages: [{ role: 'user', parts: [textPart(prompt), ...pictures] }],
  }
}

/** Reads the output of `run`: a text, pieces of one, files, or any other value. */
export function readOutput(output: unknown): ResponseContent {
  if (output === undefined || output === null) return {}
  const pieces = asArray(output)
  const texts = pieces.map((piece) => asString(piece) ?? '')
  const isText = pieces.every((piece) => typeof piece === 'string' && toUriPart(piece).length === 0)
  const parts = isText ? [textPart(texts.join(''))] : pieces.flatMap((piece) => toFilePart(piece))
  if (parts.length > 0) return { messages: [{ role: 'assistant', parts }] }
  return { result: withoutFiles(output) }
}

/** Reads a prediction of the API. One in progress has no output yet. */
export function readPrediction({ id, output, metrics, status, error }: Fields): ResponseContent {
  const { input_token_count, output_token_count } = asRecord(metrics)
  const [input, generated] = [asNumber(input_token_count), asNumber(output_token_count)]
  return {
    ...readOutput(output),
    id: asName(id),
    usage: input === undefined && generated === undefined ? undefined : { input, output: generated },
    failure: status === 'failed' ? describeResponseFailure({ message: error }) : undefined,
  }
}

/** The events of `stream`. */
export const stream: StreamSchema = {
  toDelta({ event, data }) {
    if (event === 'output') return { output: readFileText(data) }
    return event === 'done' ? { reason: asRecord(parseJson(data)).reason ?? 'done' } : undefined
  },
  table: { output: text, reason: last },
  isComplete: ({ reason }) => reason !== undefined,
  readResponse: ({ output }) => readOutput(output),
}

function readFileText(data: unknown): string | undefined {
  return asString(data) ?? (isObject(data) ? asString(toFilePart(data)[0]?.uri) : undefined)
}

/** Converts a file of the model's output, by its URL. */
function toFilePart(piece: unknown): Part[] {
  if (isObject(piece) && isMethod(piece.url)) return toUriPart(String(piece.url.call(piece)))
  return toUriPart(piece)
}

function toUriPart(value: unknown): Part[] {
  if (/^https?:\S+$/.test(asString(value) ?? '')) return [uriPart(undefined, value)]
  // A `data:` URI contains the whole file, which is not recorded.
  return /^data:\S+$/.test(asString(value) ?? '') ? [{ type: 'blob' }] : []
}

function withoutFiles(value: unknown): unknown {
  if (asString(value)?.startsWith('data:')) return '[file]'
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(withoutFiles)
  if (Object.getPrototypeOf(value) !== Object.prototype) return '[file]'
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutFiles(field)]))
}
