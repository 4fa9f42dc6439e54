'use client'

import { SvcBrowserClient } from '@svc/browser'
import { useCallback, useState } from 'react'
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

/** What {@link useSvcFeedback} gives to a component. */
export interface SvcFeedback {
  /**
   * Sends the score. Never rejects: what went wrong is in `state` and `error`.
   *
   * @param value 1 and 0 for thumbs, any number, or a text for a category
   * @param comment what the visitor has to say
   */
  readonly submit: (value: number | string, comment?: string) => Promise<void>
  readonly state: 'idle' | 'sending' | 'sent' | 'error'
  /** Why the score was not taken. */
  readonly error: Error | undefined
}

/**
 * A score from a page, with the public key only. A second submit for the same trace replaces the first.
 *
 * @example
 * const { submit, state } = useSvcFeedback({ traceId, name: 'user-feedback' })
 * return <button onClick={() => submit(1)}>Good answer</button>
 */
export function useSvcFeedback(options: SvcFeedbackOptions): SvcFeedback {
  const [state, setState] = useState<SvcFeedback['state']>('idle')
  const [error, setError] = useState<Error>()
  const { traceId, observationId, name = 'user-feedback', publicKey, baseUrl, environment } = options
  const submit = useCallback(
    async (value: number | string, comment?: string) => {
      setState('sending')
      setError(undefined)
      try {
        if (!traceId) throw new Error('There is no trace to score.')
        const config = withoutGaps({ ...clientConfig(), ...withoutGaps({ publicKey, baseUrl, environment }) })
        const id = `${observationId ?? traceId}-${name}`
        await new SvcBrowserClient(config as { publicKey: string }).score({
          id,
          traceId,
          name,
          value,
          ...withoutGaps({ observationId, comment }),
        })
        setState('sent')
      } catch (reason) {
        setError(reason instanceof Error ? reason : new Error(String(reason)))
        setState('error')
      }
    },
    [traceId, observationId, name, publicKey, baseUrl, environment],
  )
  return { submit, state, error }
}

function withoutGaps<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
