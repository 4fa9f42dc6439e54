import type { ResponseContent } from './content.ts'
import { asName, asNumber, asRecord, asString, type Fields, isObject } from './read.ts'

/** Describes an error in an otherwise successful response. */
export function describeResponseFailure({ code, message }: Fields): { type: string; message: string } {
  return {
    type: asName(code) ?? asNumber(code)?.toString() ?? 'failed',
    message: asName(message) ?? 'the response failed',
  }
}

/**
 * Returns the failure that a body or an event reports in place of an answer: as a field of its own, which some servers
 * (TGI, LM Studio, Ollama) have as a text, as the body itself (vLLM), or as a status (MiniMax). An empty error is none.
 */
export function findFailure(body: Fields): ResponseContent['failure'] {
  const { error, error_type, object, type, base_resp } = body
  const { status_code: code, status_msg: message } = asRecord(base_resp)
  if (asNumber(code)) return describeResponseFailure({ code, message })
  if (asString(error)) return describeResponseFailure({ code: error_type, message: error })
  const isError = object === 'error' || (type === 'error' && asString(body.message) !== undefined)
  const reported = isObject(error) ? error : isError ? body : {}
  if (Object.keys(reported).length === 0) return undefined
  return describeResponseFailure({ ...reported, code: reported.code ?? reported.type })
}

/** Returns the failure that is reported beside an answer, which then has ended early. */
export function findFailureBeside({ error }: Fields): ResponseContent['failure'] {
  return asString(error) || asString(asRecord(error).message) ? findFailure({ error }) : undefined
}

/** Returns the failure of one choice: Mistral's, and that of a router whose provider failed in the middle. */
export function findChoiceFailure(choice: Fields): ResponseContent['failure'] {
  return findFailureBeside(choice) ?? (choice.finish_reason === 'error' ? describeResponseFailure({}) : undefined)
}

/** Adds the failure that a body reports to what was read of it, where it has no answer. */
export function withFailure(content: ResponseContent, body: Fields): ResponseContent {
  if (content.failure || content.messages?.length || body.choices !== undefined) return content
  // The same object, by which its reader may know it.
  return Object.assign(content, { failure: findFailure(body) })
}
