import { type Context, context, createContextKey } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { flatContext } from '@svc/core/flat-context'
import { endWhenCollected, type OpenCall } from '@svc/core/open-calls'
import { asRecord, type Fields, isMethod, isObject } from '../gen-ai/read.ts'
import { overrideMethod } from '../patch/override-method.ts'
import { prototypeOf, replaceMethod } from '../patch/replace-method.ts'
import { meaningOf } from './failing.ts'
import type { Run } from './run.ts'

const STREAM = createContextKey('svc.langchain.stream')

/** The runs that the reader of one stream drives: LangChain tells nobody when he leaves. */
class StreamedRuns implements OpenCall {
  readonly #runs = new Set<Run>()
  /** Runs that ended when the reader left, and below which there may be work. */
  readonly #behind = new Set<Run>()

  add(run: Run): void {
    // What lies below a run of the same stream ends with it.
    if (!run.parent || streamAround(run.parent.context) !== this) this.#runs.add(run)
  }

  left(): void {
    for (const run of this.#runs) run.endAll('stopped early')
  }

  /** The reader was told of the abortion, and the work below is not asked to go on: it will never tell of its end. */
  aborted(reason: unknown): void {
    for (const run of this.#runs) endAllFor(reason, run)
  }

  /** The reader left, and the work below goes on without him. */
  leftBehind(): void {
    for (const run of this.#runs) {
      if (run.ended) continue
      run.endAhead('stopped early')
      this.#behind.add(run)
    }
    this.#runs.clear()
  }

  endUnread(): void {
    for (const run of this.#runs) run.endAll('abandoned')
    for (const run of this.#behind) run.forgotten()
  }

  endAtExit(): void {
    for (const run of this.#runs) run.endAll('unfinished')
  }
}

/** The stream in whose context something is done. */
export function streamAround(active: Context): StreamedRuns | undefined {
  return active.getValue(STREAM) as StreamedRuns | undefined
}

export function withStreamOf(active: Context, other: Context): Context {
  const stream = streamAround(active)
  return stream === streamAround(other) ? other : other.setValue(STREAM, stream)
}

/** Notices which runs belong to a stream, for every class of runnables that has a `stream` method of its own. */
export function followStreamsOf(runnable: unknown): boolean {
  return replaceMethod(prototypeOf(runnable), 'stream', (own) => {
    return function (...args) {
      return context.with(flatContext(context.active()).setValue(STREAM, new StreamedRuns()), () =>
        own.apply(this, args),
      )
    }
  })
}

/** Ends the runs of a stream, `IterableReadableStream`, when its reader leaves or lets go of it. */
export function followReaders(streamClass: unknown): boolean {
  const made = replaceMethod(streamClass, 'fromAsyncGenerator', (own) => {
    return function (...args) {
      const runs = streamAround(context.active())
      if (runs) attempt('follow a stream', () => followGenerator(args[0], runs))
      const stream = own.apply(this, args)
      if (runs && isObject(stream)) attempt('follow the reader of a stream', () => followReader(stream, runs))
      return stream
    }
  })
  const left = replaceMethod(prototypeOf(streamClass), 'return', (own) => {
    return function (...args) {
      // LangGraph puts its stream into another, which nobody cancels.
      const reader = asRecord(this)._innerReader
      attempt('end a graph', () => isObject(reader) && readers.get(reader)?.leftBehind())
      return own.apply(this, args)
    }
  })
  return made || left
}

const readers = new WeakMap<object, StreamedRuns>()

function followReader(stream: Fields, runs: StreamedRuns): void {
  endWhenCollected(stream, runs)
  const { getReader } = stream
  if (!isMethod(getReader)) return
  overrideMethod(stream, 'getReader', (...args) => {
    const reader = getReader.apply(stream, args)
    if (isObject(reader)) readers.set(reader, runs)
    return reader
  })
}

/** A stream that is cancelled returns from the generator it is made of, and one that is aborted asks it for more. */
function followGenerator(generator: unknown, runs: StreamedRuns): void {
  if (!isObject(generator)) return
  const { next, return: leave, signal } = generator
  if (isMethod(leave)) {
    overrideMethod(generator, 'return', (...args) => {
      attempt('end the runs of a stream', () => runs.left())
      return leave.apply(generator, args)
    })
  }
  if (!isMethod(next) || !(signal instanceof AbortSignal)) return
  overrideMethod(generator, 'next', (...args) => {
    if (signal.aborted) attempt('end the runs of a stream', () => runs.aborted(signal.reason))
    return next.apply(generator, args)
  })
}

function endAllFor(reason: unknown, run: Run): void {
  for (const child of [...run.children]) endAllFor(reason, child)
  if (meaningOf(reason) === 'cancelled') run.end('cancelled')
  else run.failWith(reason)
}
