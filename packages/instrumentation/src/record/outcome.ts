import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { ENDED_EARLY } from '@svc/core/open-calls'

/** How a call ended without a complete response or an error. */
const OUTCOMES = {
  cancelled: 'cancelled by the caller',
  'stopped early': 'the caller stopped reading before the end',
  abandoned: 'the response was not read to its end',
  unfinished: ENDED_EARLY,
} as const
export type CallOutcome = keyof typeof OUTCOMES

/** Outcomes caused by the application. */
const WARNINGS: ReadonlySet<CallOutcome> = new Set(['cancelled', 'stopped early'])

/** What a call or a run says of itself that waits for a person. The question is its output. */
export const INTERRUPTED: Attributes = { [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: 'interrupted' }

export function outcomeAttributes(outcome: CallOutcome): Attributes {
  return {
    [`${ATTRIBUTE.OBSERVATION_METADATA}.outcome`]: toMetadataText(outcome),
    [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: OUTCOMES[outcome],
    ...(WARNINGS.has(outcome) ? { [ATTRIBUTE.OBSERVATION_LEVEL]: 'WARNING' } : {}),
  }
}
