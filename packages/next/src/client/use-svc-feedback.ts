'use client'

import { SvcBrowserClient } from '@svc/browser'
import { ownFields } from '@svc/core/own'
import { useCallback, useRef, useState } from 'react'
import { clientConfig, type SvcClientConfig } from './configure.ts'

/** Options of {@link useSvcFeedback}. */
export interface SvcFeedbackOptions extends SvcClientConfig {
  /** The trace that is judged: `getActiveTraceId()` where the answer is made. */
  readonly traceId: string | undefined
  /** The observation inside it, if not the trace as a whole. */
  readonly observationId?: string | undefined
  /** Name of the score. Default `user-feedback`. */
  readonly name?: string | undefined
}

/** The result of {@link useSvcFeedback}. */
export interface SvcFeedback {
  /**
   * Sends the score. Never rejects: what went wrong is in `state` and `error`.
   *
   * @param value 1 and 0 for thumbs, any number, or a text for a category
   * @param comment what the visitor has to say
   */
  readonly submit: (value: number | string, comment?: string) => Promise<void>
  /** The status of the score with this trace and name: another one begins with `idle`. */
  readonly state: 'idle' | 'sending' | 'sent' | 'error'
  /** Why the score was not taken. */
  readonly error: Error | undefined
}

/**
 * Sends a score from a page, with the public key only. A second submit for the same trace replaces the first.
 *
 * @example
 * const { submit, state } = useSvcFeedback({ traceId, name: 'user-feedback' })
 * return <button onClick={() => submit(1)}>Good answer</button>
 */
export function useSvcFeedback(options: SvcFeedbackOptions): SvcFeedback {
  const { traceId, observationId, name = 'user-feedback', publicKey, baseUrl, environment } = ownFields(options)
  const id = `${observationId ?? traceId}-${name}`
  const [latestOutcome, setOutcome] = useState<ScoreOutcome>()
  const latest = useRef(0)
  const submit = useCallback(
    async (value: number | string, comment?: string) => {
      latest.current += 1
      const turn = latest.current
      // Of two clicks the last one counts, whichever answer comes first.
      const report = (outcome: Outcome) => latest.current === turn && setOutcome({ id, ...outcome })
      report({ state: 'sending' })
      try {
        if (!traceId) throw new Error('There is no trace to score.')
        const config = withoutGaps({ ...clientConfig(), ...withoutGaps({ publicKey, baseUrl, environment }) })
        await new SvcBrowserClient(config as { publicKey: string }).score({
          id,
          traceId,
          name,
          value,
          ...withoutGaps({ observationId, comment }),
        })
        report({ state: 'sent' })
      } catch (reason) {
        report({ state: 'error', error: reason instanceof Error ? reason : new Error(String(reason)) })
      }
    },
    [id, traceId, observationId, name, publicKey, baseUrl, environment],
  )
  // Feedback for another answer does not count for this one.
  const { state, error }: Outcome = latestOutcome?.id === id ? latestOutcome : { state: 'idle' }
  return { submit, state, error }
}

/** The state of a submit. */
interface Outcome extends Pick<SvcFeedback, 'state'> {
  readonly error?: Error
}

/** The outcome, and the score that it is about. */
interface ScoreOutcome extends Outcome {
  readonly id: string
}

function withoutGaps<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
