import type { ResponseContent } from '../../gen-ai/content.ts'
import { asArray, asRecord, type Fields } from '../../gen-ai/read.ts'
import { responses } from '../responses.ts'
import { toResponseItem } from './items.ts'

/** Reads a response of a session as one of the Responses API, from which it differs in a few fields. */
export function readSessionResponse(response: Fields, model: string | undefined): ResponseContent {
  const { status_details } = response
  const { error, reason, type } = asRecord(status_details)
  return responses.readResponse({
    ...response,
    model: response.model ?? model,
    output: asArray(response.output).map(toResponseItem),
    incomplete_details: { reason },
    error: { type, ...asRecord(error) },
  })
}
