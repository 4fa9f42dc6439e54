import { useEffect, useState } from 'preact/hooks'
import { parseExactly } from '../../src/exact-json.ts'
import { request } from './api.ts'
import { go } from './router.ts'

/** A button for a trace in a file: one that was downloaded here, or any OTLP/JSON. Dropped and pasted ones are taken, too. */
export function OpenFile() {
  const [error, setError] = useState('')
  useEffect(() => {
    const take = (text: Promise<string>) => {
      text.then(open).then(
        () => setError(''),
        (failed: Error) => setError(failed.message),
      )
    }
    const onDrop = (event: DragEvent) => {
      const [file] = event.dataTransfer?.files ?? []
      if (!file) return
      event.preventDefault()
      take(file.text())
    }
    const onPaste = (event: ClipboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea')
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (!typing && text.includes('resourceSpans')) take(Promise.resolve(text))
    }
    const onDragOver = (event: DragEvent) => event.preventDefault()
    addEventListener('drop', onDrop)
    addEventListener('dragover', onDragOver)
    addEventListener('paste', onPaste)
    return () => {
      removeEventListener('drop', onDrop)
      removeEventListener('dragover', onDragOver)
      removeEventListener('paste', onPaste)
    }
  }, [])
  return (
    <>
      <label
        class="open-file"
        title="A downloaded trace, or any OTLP/JSON. It can be dropped on this page or pasted, too."
      >
        Open
        <input
          type="file"
          accept=".json,application/json"
          class="hidden"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            file
              ?.text()
              .then(open)
              .then(
                () => setError(''),
                (failed: Error) => setError(failed.message),
              )
            currentTarget.value = ''
          }}
        />
      </label>
      {error !== '' && (
        <span class="failed" role="alert">
          {error}
        </span>
      )}
    </>
  )
}

async function open(text: string): Promise<void> {
  const content = parsed(text)
  const [first] = [content?.resourceSpans].flat()
  const traceId = first?.scopeSpans?.[0]?.spans?.[0]?.traceId
  if (typeof traceId !== 'string') throw new Error('This is no trace: expected OTLP/JSON with resourceSpans')
  await request('/api/public/otel/v1/traces', { method: 'POST', body: content })
  go(`/traces/${encodeURIComponent(traceId)}`)
}

interface Said {
  readonly resourceSpans?: readonly {
    readonly scopeSpans?: readonly { readonly spans?: readonly { readonly traceId?: unknown }[] }[]
  }[]
}

function parsed(text: string): Said | undefined {
  try {
    return parseExactly(text) as Said
  } catch {
    return undefined
  }
}
