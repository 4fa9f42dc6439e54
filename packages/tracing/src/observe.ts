import { boundedText } from '@svc/core/bounded-json'
import { capturesContent } from '@svc/core/capture-content'
import { FAILED_TO_SERIALIZE } from '@svc/core/json'
import { leaveEmpty } from '@svc/core/left-empty'
import { messageIn, thrownText } from '@svc/core/log'
import { ownOptions } from '@svc/core/own-options'
import { callTool } from '@svc/core/replayed-tool'
import { FOLLOWERS } from './follow/followers.ts'
import type { ObservationKind } from './kinds.ts'
import { startIn } from './observation.ts'
import type { ObserveOptions } from './observation-types.ts'
import { recorderOf } from './recorder.ts'
import { requireFunction } from './require-function.ts'
import { run } from './run.ts'
import { parentContext } from './span.ts'
import { writeObservation } from './write.ts'

/**
 * Returns a function whose calls are observations, with the arguments as input and the result as output. It keeps the
 * signature, `this`, name, length and properties of `fn`; the observation ends as with {@link startActiveObservation}.
 * Chunks of a stream are collected: text is joined, anything else becomes a list, up to 1,000,000 characters and 10,000
 * items. An error is thrown on unchanged; the observation gets level ERROR, the error's message, and `{ error }` as
 * output.
 *
 * @param fn any function: asynchronous, a generator, a method
 * @param options `name`, `asType`, `captureInput`, `captureOutput`, `parentSpanContext`, `endOnExit`
 * @returns a function to use in place of `fn`; a call with `new` is not observed
 * @throws {TypeError} when `fn` is not a function
 * @example
 * const search = observe(async (query: string) => index.find(query), { name: 'search', asType: 'retriever' })
 */
// biome-ignore lint/suspicious/noExplicitAny: with `never`, functions with untyped arguments would be rejected.
export function observe<F extends (...args: any[]) => unknown, K extends ObservationKind = 'span'>(
  fn: F,
  options?: ObserveOptions<K>,
): F {
  requireFunction(fn, 'observe(fn)')
  return observeBy(fn, options, true)
}

/**
 * {@link observe} with another default for `captureInput` and `captureOutput`. Input or output that is switched off by
 * option also stays empty on a root, which otherwise gets those of the model calls below it.
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function observeBy<F extends (...args: any[]) => unknown, K extends ObservationKind>(
  fn: F,
  options: ObserveOptions<K> | undefined,
  captures: boolean,
): F {
  const given = ownOptions(options ?? {})
  return new Proxy(fn, {
    apply: (target, self, args: unknown[]) =>
      observed(
        () => {
          const work = () => Reflect.apply(target, self, args)
          return given.asType === 'tool' ? callTool(isAsync(fn), work) : work()
        },
        args,
        given.name ?? (fn.name || 'anonymous-function'),
        given,
        captures,
      ),
  })
}

const isAsync = (fn: object): boolean => fn.constructor?.name === 'AsyncFunction'

function observed<K extends ObservationKind>(
  work: () => unknown,
  args: readonly unknown[],
  name: string,
  options: ObserveOptions<K>,
  captures: boolean,
): unknown {
  const { asType, parentSpanContext, endOnExit = true } = options
  // Options say of what, and the variable whether at all.
  const captureInput = (options.captureInput ?? captures) && capturesContent()
  const captureOutput = (options.captureOutput ?? captures) && capturesContent()
  const parent = parentContext(parentSpanContext)
  const observation = startIn(parent, name, undefined, { asType })
  const { otelSpan, type } = observation
  if (options.captureInput === false) leaveEmpty(otelSpan, 'input')
  if (options.captureOutput === false) leaveEmpty(otelSpan, 'output')
  if (captureInput && args.length > 0 && otelSpan.isRecording()) {
    writeObservation(otelSpan, type, { input: boundedText(args.length > 1 ? args : args[0]) })
  }
  const recorder = recorderOf(observation, {
    endOnExit,
    captureOutput,
    failed: (error, hasOutput) =>
      writeObservation(otelSpan, type, {
        level: 'ERROR',
        statusMessage: messageIn(error) ?? 'Function threw an error',
        ...(captureOutput && !hasOutput ? { output: { error: thrownText(error) ?? FAILED_TO_SERIALIZE } } : {}),
      }),
  })
  return run(otelSpan, parent, recorder, FOLLOWERS, work)
}
