import { parsedJson } from '@svc/core/json'
import { log } from '@svc/core/log'

/** Maximum number of errors of one response that are logged; the others are counted. */
const QUOTED = 20

/** The rejected scores in a response with status 207. */
export interface Rejection {
  /** Undefined if the response does not contain the number. */
  readonly rejected: number | undefined
  readonly reasons: readonly string[]
}

/** @returns undefined if the response cannot be parsed */
export function rejectionIn(text: string): Rejection | undefined {
  const answer = parsedJson(text)
  if (answer === undefined) return undefined
  // Any field of the response may be missing.
  const { rejected, errors } = (answer ?? {}) as { rejected?: unknown; errors?: unknown }
  return {
    rejected: Number.isSafeInteger(rejected) ? (rejected as number) : undefined,
    reasons: Array.isArray(errors) ? errors.map(explain) : [],
  }
}

/** Logs which scores of a batch the service rejected, and why (contract 3.2). */
export function logRejection(rejection: Rejection | undefined, total: number): void {
  if (!rejection) {
    log.error(`Svc rejected some of ${total} scores in batch: the response does not name them`)
    return
  }
  const { rejected = 'some', reasons } = rejection
  if (rejected === 0) return
  const rest = reasons.length > QUOTED ? [`${reasons.length - QUOTED} more`] : []
  const shown = [...reasons.slice(0, QUOTED), ...rest].join('; ')
  log.error(`Svc rejected ${rejected} of ${total} scores in batch: ${shown || 'the response has no reason'}`)
}

function explain(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : (JSON.stringify(error) ?? String(error))
}
