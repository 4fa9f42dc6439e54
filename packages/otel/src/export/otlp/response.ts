import { bodyText, type HttpResponse } from '@svc/core/http-exchange'
import type { Encoding } from '../encoding.ts'
import { fieldsOf } from './reader.ts'

/** The content of an OTLP `ExportTraceServiceResponse`. */
export interface OtlpResponse {
  readonly rejected: number
  /** Why. */
  readonly message: string
}

/** Field numbers of `ExportTraceServiceResponse` and of `ExportTracePartialSuccess` in it. */
const RESPONSE = { PARTIAL_SUCCESS: 1 } as const
const PARTIAL_SUCCESS = { REJECTED_SPANS: 1, ERROR_MESSAGE: 2 } as const

/**
 * Reads the body of a successful response. Undefined if it is not from an OTLP endpoint (a login page, a proxy's "OK",
 * a truncated body): then it is unknown whether the spans arrived. The service itself responds with any JSON.
 */
export function readResponse(response: HttpResponse, encoding: Encoding): OtlpResponse | undefined {
  if (!response.complete) return undefined
  try {
    const parsed = parse(response, encoding)
    return parsed && { ...parsed, rejected: Math.max(0, parsed.rejected) }
  } catch {
    // The body does not have the announced type.
    return undefined
  }
}

function parse(response: HttpResponse, encoding: Encoding): OtlpResponse | undefined {
  const { body, headers } = response
  const type = headers['content-type'] ?? 'application/json'
  if (body.length === 0) return { rejected: 0, message: '' }
  if (/\bjson\b/i.test(type)) return fromJson(JSON.parse(bodyText(response)))
  return /\bprotobuf\b/i.test(type) ? encoding.readResponse?.(body) : undefined
}

function fromJson(answer: unknown): OtlpResponse | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { partialSuccess } = answer as { partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } | null }
  return { rejected: Number(partialSuccess?.rejectedSpans) || 0, message: String(partialSuccess?.errorMessage ?? '') }
}

/** Reads what is announced as protobuf. @throws {RangeError} at bytes that are no message */
export function readProtobuf(body: Uint8Array): OtlpResponse {
  const result = { rejected: 0, message: '' }
  for (const { number, content } of fieldsOf(body)) {
    if (number !== RESPONSE.PARTIAL_SUCCESS) continue
    for (const field of fieldsOf(content)) {
      if (field.number === PARTIAL_SUCCESS.REJECTED_SPANS) result.rejected = field.value
      if (field.number === PARTIAL_SUCCESS.ERROR_MESSAGE) result.message = new TextDecoder().decode(field.content)
    }
  }
  return result
}
