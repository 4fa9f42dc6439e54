'use client'

import { useSvcFeedback } from '@svc/next/client'

export function Thumb() {
  const { submit } = useSvcFeedback({ traceId: '0'.repeat(32), name: 'thumb' })
  return (
    <button type="button" onClick={() => submit(1)}>
      good
    </button>
  )
}
