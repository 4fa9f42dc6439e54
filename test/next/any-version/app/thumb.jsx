'use client'

import { useSvcFeedback } from '@svc/next/client'

export function Thumb() {
  const { submit, state } = useSvcFeedback({ traceId: 'a'.repeat(32), name: 'thumb' })
  return (
    <button type="button" onClick={() => submit(1)}>
      {state}
    </button>
  )
}
