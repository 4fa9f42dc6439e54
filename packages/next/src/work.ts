import type { Context, Span } from '@opentelemetry/api'
import { context, SpanStatusCode } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { leaveEmpty } from '@svc/core/left-empty'
import { ENDED_EARLY } from '@svc/core/open-calls'
import type { ObservationKind } from '@svc/tracing'
import { type Follower, messageIn, type Recorder, run } from '@svc/tracing/adapters'
import { isAbort, isControlFlow } from './control-flow.ts'
import { capturesContent } from './host.ts'
import { endObservation, startObservation, writeFields } from './observation.ts'
import { noteError } from './request-error.ts'

/** Options of the observation of every wrapper of this package. */
export interface WorkOptions {
  /** Name of the observation and of the trace. */
  readonly name?: string | undefined
  /** The type of the observation. Default `span`. */
  readonly asType?: Exclude<ObservationKind, 'event'> | undefined
  /**
   * Record what goes in. Default true. Nothing is recorded if `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` says
   * so.
   */
  readonly captureInput?: boolean | undefined
  /** Record what comes out. Default as for `captureInput`. */
  readonly captureOutput?: boolean | undefined
}

/** Decides what is captured: options select input and output, and the variable may switch both off. */
export function captureOf<Options extends WorkOptions>(options: Options) {
  const may = capturesContent()
  return {
    ...options,
    captureInput: may && options.captureInput !== false,
    captureOutput: may && options.captureOutput !== false,
  }
}

/** Keeps the root from taking its input or output from model calls below it where capture is off. */
export function leaveEmptyAs(options: Pick<WorkOptions, 'captureInput' | 'captureOutput'>, span: Span): void {
  if (options.captureInput === false) leaveEmpty(span, 'input')
  if (options.captureOutput === false) leaveEmpty(span, 'output')
}

/**
 * Runs `work` as an observation under `parent`, ended when its result has settled, or its stream has ended. What
 * Next throws for control flow, such as a redirect, is not an error.
 *
 * @param followers the kinds of results that are followed
 */
export function runWork<R>(
  parent: Context,
  name: string,
  options: Omit<WorkOptions, 'name'>,
  input: unknown,
  work: () => R,
  followers: readonly Follower[] = [],
): R {
  const { asType, captureInput, captureOutput } = captureOf(options)
  const span = startObservation(parent, name, asType)
  if (captureInput && input !== undefined)
    attempt('record input', () => writeFields(span, { input: boundedText(input) }))
  leaveEmptyAs(options, span)
  const recorder: Recorder = {
    captureOutput: captureOutput && span.isRecording(),
    output: (output) => writeFields(span, { output }),
    failed: (error) => {
      if (isControlFlow(error)) return
      noteError(error)
      const statusMessage = messageIn(error) ?? 'Unknown error'
      if (isAbort(error)) writeFields(span, { level: 'WARNING', statusMessage })
      else {
        span.setStatus({ code: SpanStatusCode.ERROR, message: statusMessage })
        writeFields(span, { level: 'ERROR', statusMessage })
      }
    },
    endAtExit: () => writeFields(span, { statusMessage: ENDED_EARLY }),
    end: (at) => endObservation(span, at),
  }
  return context.with(parent, () => run(span, parent, recorder, followers, work))
}
