import { isMethod, overrideMethod } from '@svc/core/override-method'
import type { Ending } from '../ending.ts'

interface NodeStream {
  readonly emit: (event: string | symbol, ...args: unknown[]) => boolean
  readonly destroyed?: unknown
  readonly readableEnded?: unknown
  readonly writableFinished?: unknown
}

/**
 * Follows a Node stream. Its events are observed in `emit`: a listener for `data` would make it flow, and one for
 * `error` would hide that the error is unhandled. Every way to read (a listener, a pipe, `for await`, `read()`) emits
 * `data`.
 */
export function followNodeStream(result: object, ending: Ending): object | undefined {
  if (!isNodeStream(result)) return undefined
  const reads = '_readableState' in result
  if (result.destroyed === true || (reads ? result.readableEnded : result.writableFinished) === true) {
    ending.done()
    return result
  }
  const { emit } = result
  const seen: Readonly<Record<string | symbol, (value: unknown) => void>> = {
    data: (chunk) => ending.onChunk(chunk),
    [reads ? 'end' : 'finish']: () => ending.done(),
    close: () => ending.done(),
    error: (error) => (isAbort(error) ? ending.done() : ending.fail(error)),
  }
  const restore = overrideMethod(result, 'emit', function (...args) {
    const [event, value] = args as Parameters<typeof emit>
    if (this === result && Object.hasOwn(seen, event)) {
      seen[event]?.(value)
      if (event !== 'data') restore()
    }
    return Reflect.apply(emit, this, args)
  })
  ending.expectFrom(result)
  return result
}

/** Whether the reader left early: `break` in a loop, an aborted signal. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function isNodeStream(value: object): value is NodeStream {
  const stream = value as Record<string, unknown>
  return (
    isMethod(stream.emit) &&
    isMethod(stream.on) &&
    isMethod(stream.pipe) &&
    ('_readableState' in value || '_writableState' in value)
  )
}
