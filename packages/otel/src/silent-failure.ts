import { SpanStatusCode } from '@svc/core/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import type { ReadableSpan } from './sdk.ts'

/** Whether a model gave no answer, which only the reason of its end tells. */
export function hasFailedSilently({ attributes, status }: ReadableSpan): boolean {
  const reasons = attributes[GEN_AI.RESPONSE_FINISH_REASONS]
  if (reasons === undefined || !/\berror\b/.test(String(reasons))) return false
  return attributes[ATTRIBUTE.OBSERVATION_LEVEL] === undefined && status.code === SpanStatusCode.UNSET
}
