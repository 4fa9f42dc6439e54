import { log } from '@svc/core/log'

/** Errors of one answer that are quoted; the rest is counted. */
const QUOTED = 20

/** What an answer 207 says of scores that the service did not take. */
export interface Rejection {
  /** Undefined where it does not say how many. */
  readonly rejected: number | undefined
  readonly reasons: readonly string[]
}

/** @returns undefined where the answer cannot be read */
export function rejectionIn(text: string): Rejection | undefined {
  const answer = parsed(text)
  if (answer === undefined) return undefined
  // It comes from outside: any of it may be missing.
  const { rejected, errors } = (answer ?? {}) as { rejected?: unknown; errors?: unknown }
  return {
    rejected: Number.isSafeInteger(rejected) ? (rejected as number) : undefined,
    reasons: Array.isArray(errors) ? errors.map(reasonOf) : [],
  }
}

/** Says which scores of a batch the service did not take, and why (contract 3.2). */
export function sayRejection(rejection: Rejection | undefined, total: number): void {
  if (!rejection) {
    log.error(`Svc rejected some of ${total} scores in batch: the answer does not say which`)
    return
  }
  const { rejected = 'some', reasons } = rejection
  if (rejected === 0) return
  const rest = reasons.length > QUOTED ? [`${reasons.length - QUOTED} more`] : []
  const shown = [...reasons.slice(0, QUOTED), ...rest].join('; ')
  log.error(`Svc rejected ${rejected} of ${total} scores in batch: ${shown || 'the answer does not say why'}`)
}

function reasonOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : (JSON.stringify(error) ?? String(error))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
