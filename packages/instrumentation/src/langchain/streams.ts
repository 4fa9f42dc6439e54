import { type Context, context, createContextKey } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { flatContext } from '@svc/core/flat-context'
import { endWhenCollected, type MissingEnd, type OpenCall } from '@svc/core/open-calls'
import { overrideMethod } from '@svc/core/override-method'
import { asRecord, type Fields, isMethod, isObject, isPromise } from '../gen-ai/read.ts'
import { callBefore } from '../patch/call-before.ts'
import { getPrototype, replaceMethod } from '../patch/replace-method.ts'
import { wrapSteps } from '../patch/wrap-steps.ts'
import { questionsInChunk } from './pauses.ts'
import type { LangChainRun } from './run.ts'
import { classifyError } from './run-error.ts'

/** The key of the {@link StreamedRuns} that runs in a context belong to. */
const STREAM = createContextKey('svc.langchain.stream')

/**
 * The runs of one call of `stream()`. LangChain emits no event when its reader stops, so their spans would never end:
 * this ends them when the reader leaves, the stream is aborted or garbage-collected, or the process ends.
 */
class StreamedRuns implements OpenCall {
  readonly #runs = new Set<LangChainRun>()
  /** Runs whose span ended when the reader left, and which stay open as parents of work that may continue below. */
  readonly #detached = new Set<LangChainRun>()

  /** Called when a run starts in a context of this stream. */
  add(run: LangChainRun): void {
    // Runs below another run of the stream end with that one.
    if (!run.parent || streamInContext(run.parent.context) !== this) this.#runs.add(run)
  }

  /** Whether the runs may pause, which needs a thread to go on from. */
  get mayPause(): boolean {
    return [...this.#runs].some(({ thread }) => thread !== undefined)
  }

  /** Called when a chunk says that the graph pauses. */
  onPause(questions: readonly unknown[]): void {
    for (const run of this.#runs) run.questions ??= questions
  }

  /** Called when the reader leaves, which stops the work. */
  onReaderLeft(): void {
    for (const run of this.#runs) run.endAll('stopped early')
  }

  /** Called when the signal of a stream is aborted: its generator is not read again, so its runs would never end. */
  onAborted(reason: unknown): void {
    for (const run of this.#runs) endAllWithReason(reason, run)
  }

  /** Called when the reader of a graph leaves: LangGraph does not pass that on, so the work below continues. */
  onReaderLeftRunning(): void {
    for (const run of this.#runs) {
      if (run.ended) continue
      run.endBeforeChildren('stopped early')
      this.#detached.add(run)
    }
    this.#runs.clear()
  }

  endWithout(missing: MissingEnd): void {
    for (const run of this.#runs) run.endAll(missing)
    if (missing === 'abandoned') for (const run of this.#detached) run.removeFromOpenRuns()
  }
}

/** Returns the stream that `active` belongs to. */
export function streamInContext(active: Context): StreamedRuns | undefined {
  return active.getValue(STREAM) as StreamedRuns | undefined
}

/** Returns `other` with the stream that `active` belongs to. */
export function withStreamOf(active: Context, other: Context): Context {
  const stream = streamInContext(active)
  return stream === streamInContext(other) ? other : other.setValue(STREAM, stream)
}

/**
 * Patches `stream` of a runnable class, so that runs which start inside are assigned to the stream. For every class
 * with its own `stream` method.
 *
 * @returns whether this call patched it
 */
export function followStreamsOf(runnable: unknown): boolean {
  return replaceMethod(getPrototype(runnable), 'stream', (original) => {
    return function (...args) {
      return context.with(flatContext(context.active()).setValue(STREAM, new StreamedRuns()), () =>
        original.apply(this, args),
      )
    }
  })
}

/**
 * Patches `IterableReadableStream`, which `stream()` returns, to end the runs of a stream when its reader leaves or the
 * stream is garbage-collected.
 *
 * @returns whether this call patched it
 */
export function followStreamClass(streamClass: unknown): boolean {
  const wrappedFactory = replaceMethod(streamClass, 'fromAsyncGenerator', (original) => {
    return function (...args) {
      const runs = streamInContext(context.active())
      if (runs) attempt('follow a stream', () => followGenerator(args[0], runs))
      const stream = original.apply(this, args)
      if (runs && isObject(stream)) attempt('follow the reader of a stream', () => followReader(stream, runs))
      return stream
    }
  })
  const onReaderLeft = replaceMethod(getPrototype(streamClass), 'return', (original) =>
    callBefore(original, 'end a graph', (stream) => {
      // LangGraph wraps its stream in another one. Leaving that one does not cancel the stream inside, so its runs are
      // found by the reader that the outer stream holds.
      const reader = asRecord(stream)._innerReader
      if (isObject(reader)) readers.get(reader)?.onReaderLeftRunning()
    }),
  )
  return wrappedFactory || onReaderLeft
}

/** The runs of a stream by the readers that were created for it. */
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

/**
 * Observes the generator that a stream reads from: cancelling the stream calls its `return`; when the stream's signal
 * is aborted, `next` is called once more.
 */
function followGenerator(generator: unknown, runs: StreamedRuns): void {
  const { signal } = asRecord(generator)
  wrapSteps(generator, (name, step) => {
    if (name === 'return') attempt('end the runs of a stream', () => runs.onReaderLeft())
    if (name === 'next' && signal instanceof AbortSignal && signal.aborted) {
      attempt('end the runs of a stream', () => runs.onAborted(signal.reason))
    }
    const result = step()
    // Only observed: the stream awaits the result itself.
    if (name === 'next' && isPromise(result) && runs.mayPause) result.then(onChunk, () => {})
    return result
  })
  const onChunk = (result: unknown) => {
    const questions = attempt('look for a pause', () => questionsInChunk(asRecord(result).value))
    if (questions) runs.onPause(questions)
  }
}

/** Ends a run and all runs below as cancelled, or with the error that the application aborted them with. */
function endAllWithReason(reason: unknown, run: LangChainRun): void {
  for (const child of [...run.children]) endAllWithReason(reason, child)
  if (classifyError(reason) === 'cancelled') run.end('cancelled')
  else run.failWith(reason)
}
