import type { Transformer } from 'node:stream/web'
import type { Tracer } from '@opentelemetry/api'

/** Where the edited code finds {@link TelemetryDefaults}. */
export const SLOT = 'svc.ai-telemetry.6'

/** What the edited code asks. */
export interface TelemetryDefaults {
  /** Whether calls are recorded that say nothing of telemetry. */
  readonly enabled: boolean
  /** What is recorded of a call: the settings it came with, and the attributes it would have. */
  settled(given: TelemetryGiven): TelemetryGiven
  /** The tracer of a call that brings none of its own, with what the call says of telemetry. */
  tracer(found: Tracer, telemetry: unknown): Tracer
  /** A stream was aborted, whose outermost span this is; the SDK never ends it. */
  aborted(span: unknown, signal: unknown): void
}

/** What the edited code says of its models and streams. */
export interface StreamSightings {
  /** What is asked in the place of `model`; `heard` when its stream is heard where the SDK reads it, else apart. */
  model(model: AskedModel, callId: unknown, heard: boolean): AskedModel
  /** What does as `transformer` does, through which a stream of a model goes first, and hears that. */
  hearing(stream: unknown, transformer: Transformer): Transformer
  /** A result belongs to a call: its outermost span, or from version 7 on the name of the call. */
  begun(result: object, call: unknown): void
  /** A stream that the application takes from a result, through another. */
  taken(result: object, stream: ReadableStream): Pick<ReadableStream, 'pipeThrough'>
}

export type AskedModel = Readonly<Record<'doStream' | 'doGenerate' | 'doEmbed', (options: unknown) => unknown>>

export interface TelemetryGiven {
  readonly telemetry: unknown
  readonly attributes: unknown
}

const OURS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`
const TRACER = /(function getTracer\(\{\s*isEnabled = )false\b/
const TRACER_FOUND = /(function getTracer\([\s\S]{0,200}?return )((?:\w+\.)?trace\.getTracer\("ai"\))/
const ABORTED = /async pull\(controller\) \{\s*function abort\(\) \{/
const ATTRIBUTES = /function selectTelemetryAttributes\(\{\s*telemetry,\s*attributes\s*\}\) \{/
const MODEL = /(?<![.\w])((?:resolved|step)?[mM]odel)(?=\.do(?:Stream|Generate|Embed)\((?:\{|callOptions\)))/g
/** What a model streams goes through these first: in `streamText` of 5 and 6, of 7, and in `streamObject`. */
const FORWARD = /(\n *)(const forwardStream = new TransformStream\()(\{\s*async transform\([\s\S]*?\1\})(?=\);)/
const PIPED = /\blanguageModelStream\.pipeThrough\(\s*createLanguageModel\w+Transform\(\{/
const PARTS =
  /(function createLanguageModel\w+Transform\(\{[^}]*\}\) \{[\s\S]{0,2000}?)(\n\s*)(return new TransformStream\()(\{\s*async transform\([\s\S]*?\2\}(?: \})?)(?=\);)/
const OBJECT = /(\bstream\.pipeThrough\(new TransformStream\()(transformer)(?=\)\))/
const BEGUN = /\brootSpan = (\w+);|\bconst self = this;\s*const (callId) = generateCallId\(\);/
const TAKEN = /\bthis\.teeStream\(\)/g

/**
 * The AI SDK 5 and 6 with the default of their telemetry changed. It is off unless each call switches it on, in the two
 * functions that all calls go through; nothing else of theirs says so, and nothing of it can be reached from outside.
 * It ends no span of a stream that was aborted, and tells nobody.
 * No line moves. Source that reads otherwise stays as it is.
 */
export function withTelemetryOn(source: string): string {
  if (!TRACER.test(source) || !ATTRIBUTES.test(source)) return source
  return source
    .replace(TRACER, `$1(${OURS}?.enabled ?? false)`)
    .replace(TRACER_FOUND, `$1(${OURS}?.tracer?.($2, arguments[0]) ?? $2)`)
    .replace(ABORTED, (head) => `${head} if (typeof rootSpan === "object") ${OURS}?.aborted?.(rootSpan, abortSignal);`)
    .replace(
      ATTRIBUTES,
      (head) => `${head} ({ telemetry, attributes } = ${OURS}?.settled({ telemetry, attributes }) ?? arguments[0]);`,
    )
}

/**
 * The AI SDK with its models heard, and with what the application takes of their streams. No telemetry of
 * any major tells what had arrived of an answer that was not read to its end, or that it was left.
 * No line moves. Source that reads otherwise stays as it is.
 */
export function withStreamsHeard(source: string): string {
  const callId = '(typeof callId === "string" ? callId : undefined)'
  const heard = {
    text: FORWARD.test(source) || (PIPED.test(source) && PARTS.test(source)),
    object: OBJECT.test(source),
  }
  return source
    .replace(MODEL, (model, at: number) => {
      const within = source.startsWith('.doStream(callOptions)', at + model.length) ? 'object' : 'text'
      return `(${OURS}?.model?.(${model}, ${callId}, ${heard[within]}) ?? ${model})`
    })
    .replace(FORWARD, (_, line, made, transformer) => line + made + hearing('generatorStream', transformer))
    .replace(PIPED, (head) => `${head} svcStream: languageModelStream,`)
    .replace(PARTS, (_, head, line, made, transformer) => {
      return `${head}${line}const { svcStream } = arguments[0]; ${made}${hearing('svcStream', transformer)}`
    })
    .replace(OBJECT, (_, made, transformer) => made + hearing('stream', transformer))
    .replace(BEGUN, (head, span, callId) => `${head} ${OURS}?.begun?.(self, ${span ?? callId});`)
    .replace(TAKEN, (taking) => `(${OURS}?.taken ? ${OURS}.taken(this, ${taking}) : ${taking})`)
}

function hearing(stream: string, transformer: string): string {
  return `(${OURS}?.hearing ?? ((_, own) => own))(${stream}, ${transformer})`
}
