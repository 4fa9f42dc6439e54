import { useSvcFeedback } from '@svc/next/client'

/** Two thumbs under an answer. The score goes from the page to the service, with the public key. */
export function Feedback({ traceId }: { traceId: string }) {
  const { submit, state } = useSvcFeedback({ traceId, name: 'user-feedback' })
  if (state === 'sent') return <div className="thumbs dim">Thank you.</div>
  return (
    <div className="thumbs dim">
      <button className="thumb" type="button" onClick={() => submit(1)}>
        <Thumb title="Good answer" />
      </button>
      <button className="thumb down" type="button" onClick={() => submit(0)}>
        <Thumb title="Bad answer" />
      </button>
      {state === 'error' && 'That did not arrive. Try again.'}
    </div>
  )
}

function Thumb({ title }: { title: string }) {
  return (
    <svg viewBox="0 0 24 24" role="img">
      <title>{title}</title>
      <path d="M3 11h4v9H3zM7 11l4-8a2.5 2.5 0 0 1 2.5 2.5V10H19a2 2 0 0 1 2 2.4l-1.3 6A2 2 0 0 1 17.7 20H7" />
    </svg>
  )
}
