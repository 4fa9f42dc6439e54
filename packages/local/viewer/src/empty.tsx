import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAnswer } from './api.ts'

/** A place where nothing is, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h1>{title}</h1>
      {children}
    </div>
  )
}

/** A place whose answer is on its way: not the same as one where nothing is. */
export function Loading() {
  return (
    <p class="loading dim" role="status">
      <span class="pulse" /> loading
    </p>
  )
}

interface About {
  readonly publicKey: string
  readonly secretKey: string | null
  readonly baseUrl: string
}

/** Is shown before anything has arrived, and goes by itself when the first trace is there. */
export function WaitingForTheFirst() {
  const { data } = useAnswer<About>('/viewer/about')
  const lines = data && [
    `SVC_PUBLIC_KEY=${data.publicKey}`,
    `SVC_SECRET_KEY=${data.secretKey ?? '(the one it was started with)'}`,
    `SVC_BASE_URL=${data.baseUrl}`,
  ]
  return (
    <Empty title="Waiting for the first trace">
      <p>Put these lines into the .env of your application:</p>
      {lines && <Copyable text={lines.join('\n')} />}
      <p>and start it with our preload:</p>
      <Copyable text="node --env-file=.env --import @svc/register app.js" />
      <p class="dim">
        <span class="pulse" /> The trace appears here by itself. If none does: <code>npx @svc/cli doctor</code>
      </p>
    </Empty>
  )
}

/** Text with a button that copies it. */
export function Copyable({ text }: { text: string }) {
  return (
    <div class="copyable">
      <pre>{text}</pre>
      <Copy text={text} />
    </div>
  )
}

export function Copy({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setDone(true)
    setTimeout(() => setDone(false), 1_500)
  }
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      {done ? 'Copied' : label}
    </button>
  )
}

/** What there is to say of an answer that is not there, or that could not be renewed. */
export function Awaited({ data, error }: { data: unknown; error: Error | undefined }) {
  if (error) return <Failed error={error} />
  return data === undefined ? <Loading /> : null
}

export function Failed({ error }: { error: Error }) {
  return (
    <p class="failed" role="alert">
      {error.message}
    </p>
  )
}
