import type { Transformer } from 'node:stream/web'
import type { Tracer } from '@opentelemetry/api'
import * as SLOTS from '@svc/core/slots'
import { after, around, type SourceEdit } from './apply-edits.ts'

/** Where the edited code finds {@link TelemetryDefaults}. */
export const SLOT = SLOTS.AI_TELEMETRY

/** What the edited code reads about telemetry. */
export interface TelemetryDefaults {
  /** Whether calls without a telemetry option are recorded. */
  readonly enabled: boolean
  /** Returns the settings of a call and the attributes of its span as they are to be recorded. */
  settle(given: TelemetryGiven): TelemetryGiven
  /** Returns the tracer of a call that has none of its own. */
  tracer(found: Tracer, telemetry: unknown): Tracer
  /** Called with the id of the approval for which a call of version 6 asks. Returns it. */
  asked(id: unknown): unknown
  /** Called when a stream is aborted, with its outermost span, which the SDK never ends. */
  aborted(span: unknown, signal: unknown): void
  /** Called with the outermost span when a streamed object does not fit, which only the promise of the object says. */
  objectFailed(span: unknown, error: unknown): void
}

/** What the edited code calls for its models and streams. */
export interface StreamHooks {
  /**
   * Returns what is called instead of `model`.
   *
   * @param inPlace whether the edited SDK passes the chunks of its stream to {@link StreamHooks.tap}
   * @param isSingle whether the application itself asks for this one answer, which the SDK's telemetry does not report
   */
  model(model: CalledModel, callId: unknown, inPlace: boolean, isSingle?: boolean): CalledModel
  /** Returns `transformer` with a tap: the first one that the stream of a model goes through. */
  tap(stream: unknown, transformer: Transformer): Transformer
  /** Called when a result is made for a call: its outermost span or, from version 7 on, the id of the call. */
  started(result: object, call: unknown): void
  /** Returns a stream that the application takes from a result. */
  branch(result: object, stream: ReadableStream): Pick<ReadableStream, 'pipeThrough'>
}

/** The hooks without which no stream is followed. */
export const STREAM_HOOKS = ['model', 'tap', 'started', 'branch'] as const satisfies (keyof StreamHooks)[]

export type CalledModel = Readonly<Record<'doStream' | 'doGenerate' | 'doEmbed', (options: unknown) => unknown>>

export interface TelemetryGiven {
  readonly telemetry: unknown
  readonly attributes: unknown
}

const OURS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`
const TRACER = /(?<=function getTracer\(\{\s*isEnabled = )false\b/
const TRACER_FOUND = /(?<=function getTracer\([\s\S]{0,200}?return )(?:\w+\.)?trace\.getTracer\("ai"\)/
const ABORTED = /async pull\(controller\) \{\s*function abort\(\) \{/
const OBJECT_FAILED = /\berror = e;\s*self\._object\.reject\(e\);/
const ASKED = /(?<=\bapprovalId(?: =|:) )generateId\d*\(\)/g
const ATTRIBUTES = /function selectTelemetryAttributes\(\{\s*telemetry,\s*attributes\s*\}\) \{/
const CALLED = /\.do(?:Stream|Generate|Embed)\((?:\{|callOptions\))/g
const MODEL = /(?<![.\w])(?:resolved|step)?[mM]odel$/
/** The first transformers that a model stream goes through: in `streamText` of 5 and 6, of 7, and in `streamObject`. */
const FORWARD = /(?<=(\n *)const forwardStream = new TransformStream\()\{\s*async transform\([\s\S]*?\1\}(?=\);)/
const PIPED = /languageModelStream\.pipeThrough\(\s*createLanguageModel\w+Transform\(\{/
const PARTS = /function createLanguageModel\w+Transform\(\{[^}]*\}\) \{/
const PARTS_MADE = /(?<=(\n\s*)return new TransformStream\()\{\s*async transform\([\s\S]*?\1\}(?: \})?(?=\);)/g
const OBJECT = /(?<=const transformedStream = stream\.pipeThrough\(new TransformStream\()transformer(?=\)\))/
const STARTED = /\brootSpan = (\w+);|\bconst self = this;\s*const (callId) = generateCallId\(\);/
const BRANCH = /this\.teeStream\(\)/g

/**
 * Changes the default of the telemetry of the AI SDK 5 and 6: it is off unless each call switches it on, in two functions
 * that all calls go through and that cannot be reached from outside. Also reports streams that were aborted, whose spans
 * the SDK does not end, and calls that wait for an approval, of which its spans say nothing. No line moves. Source of another form is left as it is.
 */
export function telemetryEdits(source: string): SourceEdit[] {
  const [off, attributes] = [TRACER.exec(source), ATTRIBUTES.exec(source)]
  if (!off || !attributes) return []
  const found = TRACER_FOUND.exec(source)
  return [
    ...around(off, `(${OURS}?.enabled ?? `, ')'),
    ...around(found, `(${OURS}?.tracer?.(${found?.[0]}, arguments[0]) ?? `, ')'),
    ...[...source.matchAll(ASKED)].flatMap((id) => around(id, `(${OURS}?.asked ?? ((id) => id))(`, ')')),
    ...after(ABORTED.exec(source), ` if (typeof rootSpan === "object") ${OURS}?.aborted?.(rootSpan, abortSignal);`),
    ...after(OBJECT_FAILED.exec(source), ` ${OURS}?.objectFailed?.(rootSpan, e);`),
    ...after(
      attributes,
      ` ({ telemetry, attributes } = ${OURS}?.settle?.({ telemetry, attributes }) ?? arguments[0]);`,
    ),
  ]
}

/**
 * Taps the models of the AI SDK and the streams that the application takes from their results. The telemetry of no major
 * reports an answer that was not read to its end, or that it was left. No line moves. Source of another form is left as
 * it is.
 */
export function streamEdits(source: string): SourceEdit[] {
  const [piped, parts] = [PIPED.exec(source), PARTS.exec(source)]
  PARTS_MADE.lastIndex = parts?.index ?? source.length
  const [text, made, object] = [FORWARD.exec(source), PARTS_MADE.exec(source), OBJECT.exec(source)]
  const started = STARTED.exec(source)
  const inPlace = { text: Boolean(text ?? (piped && made)), object: object !== null }
  return [
    ...modelEdits(source, inPlace),
    ...tap('generatorStream', text),
    ...(piped && parts && made
      ? [
          ...after(piped, ' svcStream: languageModelStream,'),
          ...after(parts, ' const { svcStream } = arguments[0];'),
          ...tap('svcStream', made),
        ]
      : []),
    ...tap('stream', object),
    ...after(started, ` ${OURS}?.started?.(self, ${started?.[1] ?? started?.[2]});`),
    ...[...source.matchAll(BRANCH)].flatMap((branch) =>
      around(branch, `(${OURS}?.branch ?? ((_, given) => given))(this, `, ')'),
    ),
  ]
}

/** Finds calls first and then what they are called on: names of models are everywhere, and the source is long. */
function modelEdits(source: string, inPlace: Readonly<Record<'text' | 'object', boolean>>): SourceEdit[] {
  const callId = '(typeof callId === "string" ? callId : undefined)'
  return [...source.matchAll(CALLED)].flatMap(({ 0: called, index }) => {
    const [model] = MODEL.exec(source.slice(Math.max(0, index - 20), index)) ?? []
    if (!model) return []
    const isTapped = inPlace[called.endsWith('callOptions)') ? 'object' : 'text']
    const single = isSingle(source, index) ? ', callId === undefined' : ''
    const text = `(${OURS}?.model?.(${model}, ${callId}, ${isTapped}${single}) ?? ${model})`
    return [{ at: index - model.length, length: model.length, text }]
  })
}

/** Whether this is the function that calls a model once: applications call it directly, and `streamText` with its call. */
function isSingle(source: string, index: number): boolean {
  const start = source.lastIndexOf('function streamLanguageModelCall(', index)
  return start >= 0 && !/\n\}\s*\n/.test(source.slice(start, index))
}

function tap(stream: string, transformer: RegExpExecArray | null): SourceEdit[] {
  return around(transformer, `(${OURS}?.tap ?? ((_, given) => given))(${stream}, `, ')')
}
