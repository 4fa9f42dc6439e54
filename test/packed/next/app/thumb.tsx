'use client'

import { useSvcFeedback } from '@svc/next/client'

export function Thumb({ traceId }: { traceId: string }) {
  const { submit, state } = useSvcFeedback({ traceId, name: 'thumb' })
  return (
    <button type="button" onClick={() => submit(1)}>
      {state}
    </button>
  )
}
