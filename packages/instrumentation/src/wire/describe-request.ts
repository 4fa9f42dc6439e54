import { ATTRIBUTE } from '@svc/core/attributes'
import { parseJson } from '../gen-ai/parts.ts'
import { asRecord, type Fields } from '../gen-ai/read.ts'
import { requestContentAttributes, withParameters } from '../record/write.ts'
import { findApi, readModel } from './apis.ts'

/** What a request asks a model, in the form in which a call is recorded. */
export interface DescribedRequest {
  readonly model: string | undefined
  /** By their names without `gen_ai.request.` */
  readonly parameters: Fields
  /** Messages and tools, or the input of a model without roles. */
  readonly input: unknown
  readonly isStream: boolean
}

/** Describes a request; undefined if it is none that a model is asked by. @param path without its query */
export function describeRequest(path: string, body: Fields): DescribedRequest | undefined {
  const api = findApi(path)
  if (!api?.isRequest(body, path)) return undefined
  const model = readModel(api, body, path)
  const reader = api.findReader?.(model ?? '', body) ?? api.reader
  const { [ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS]: parameters } = withParameters(reader.readParameters(body))
  const { [ATTRIBUTE.OBSERVATION_INPUT]: input } = requestContentAttributes(reader.readRequest(body))
  return {
    model,
    parameters: asRecord(parseJson(String(parameters ?? '{}'))),
    input: parseJson(String(input ?? 'null')) ?? input,
    // Ollama streams unless it is told not to.
    isStream: body.stream === true || api.streamPath?.test(path) === true || isStreamByDefault(api.library, body),
  }
}

const isStreamByDefault = (library: string, { stream }: Fields): boolean => library === 'ollama' && stream !== false
