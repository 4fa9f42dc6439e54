import type { Transformer } from 'node:stream/web'
import type { Tracer } from '@opentelemetry/api'
import { after, around, type Edit } from './apply-edits.ts'

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
  /**
   * What is asked in the place of `model`.
   *
   * @param heard its stream is heard where the SDK reads it, else apart
   * @param alone the application asks for this one answer: no telemetry tells of it
   */
  model(model: AskedModel, callId: unknown, heard: boolean, alone?: boolean): AskedModel
  /** What does as `transformer` does, through which a stream of a model goes first, and hears that. */
  hearing(stream: unknown, transformer: Transformer): Transformer
  /** A result belongs to a call: its outermost span, or from version 7 on the name of the call. */
  begun(result: object, call: unknown): void
  /** A stream that the application takes from a result, through another. */
  taken(result: object, stream: ReadableStream): Pick<ReadableStream, 'pipeThrough'>
}

/** The hooks without which no stream is followed. */
export const STREAM_HOOKS = ['model', 'hearing', 'begun', 'taken'] as const satisfies (keyof StreamSightings)[]

export type AskedModel = Readonly<Record<'doStream' | 'doGenerate' | 'doEmbed', (options: unknown) => unknown>>

export interface TelemetryGiven {
  readonly telemetry: unknown
  readonly attributes: unknown
}

const OURS = `globalThis[Symbol.for(${JSON.stringify(SLOT)})]`
const TRACER = /(?<=function getTracer\(\{\s*isEnabled = )false\b/
const TRACER_FOUND = /(?<=function getTracer\([\s\S]{0,200}?return )(?:\w+\.)?trace\.getTracer\("ai"\)/
const ABORTED = /async pull\(controller\) \{\s*function abort\(\) \{/
const ATTRIBUTES = /function selectTelemetryAttributes\(\{\s*telemetry,\s*attributes\s*\}\) \{/
const ASKED = /\.do(?:Stream|Generate|Embed)\((?:\{|callOptions\))/g
const MODEL = /(?<![.\w])(?:resolved|step)?[mM]odel$/
/** What a model streams goes through these first: in `streamText` of 5 and 6, of 7, and in `streamObject`. */
const FORWARD = /(?<=(\n *)const forwardStream = new TransformStream\()\{\s*async transform\([\s\S]*?\1\}(?=\);)/
const PIPED = /languageModelStream\.pipeThrough\(\s*createLanguageModel\w+Transform\(\{/
const PARTS = /function createLanguageModel\w+Transform\(\{[^}]*\}\) \{/
const PARTS_MADE = /(?<=(\n\s*)return new TransformStream\()\{\s*async transform\([\s\S]*?\1\}(?: \})?(?=\);)/g
const OBJECT = /(?<=const transformedStream = stream\.pipeThrough\(new TransformStream\()transformer(?=\)\))/
const BEGUN = /\brootSpan = (\w+);|\bconst self = this;\s*const (callId) = generateCallId\(\);/
const TAKEN = /this\.teeStream\(\)/g

/**
 * The AI SDK 5 and 6 with the default of their telemetry changed. It is off unless each call switches it on, in the two
 * functions that all calls go through; nothing else of theirs says so, and nothing of it can be reached from outside.
 * It ends no span of a stream that was aborted, and tells nobody.
 * No line moves. Source that reads otherwise stays as it is.
 */
export function telemetryOn(source: string): Edit[] {
  const [off, attributes] = [TRACER.exec(source), ATTRIBUTES.exec(source)]
  if (!off || !attributes) return []
  const found = TRACER_FOUND.exec(source)
  return [
    ...around(off, `(${OURS}?.enabled ?? `, ')'),
    ...around(found, `(${OURS}?.tracer?.(${found?.[0]}, arguments[0]) ?? `, ')'),
    ...after(ABORTED.exec(source), ` if (typeof rootSpan === "object") ${OURS}?.aborted?.(rootSpan, abortSignal);`),
    ...after(
      attributes,
      ` ({ telemetry, attributes } = ${OURS}?.settled?.({ telemetry, attributes }) ?? arguments[0]);`,
    ),
  ]
}

/**
 * The AI SDK with its models heard, and with what the application takes of their streams. No telemetry of
 * any major tells what had arrived of an answer that was not read to its end, or that it was left.
 * No line moves. Source that reads otherwise stays as it is.
 */
export function streamsHeard(source: string): Edit[] {
  const [piped, parts] = [PIPED.exec(source), PARTS.exec(source)]
  PARTS_MADE.lastIndex = parts?.index ?? source.length
  const [text, made, object] = [FORWARD.exec(source), PARTS_MADE.exec(source), OBJECT.exec(source)]
  const begun = BEGUN.exec(source)
  const isHeard = { text: Boolean(text ?? (piped && made)), object: object !== null }
  return [
    ...modelsHeard(source, isHeard),
    ...hearing('generatorStream', text),
    ...(piped && parts && made
      ? [
          ...after(piped, ' svcStream: languageModelStream,'),
          ...after(parts, ' const { svcStream } = arguments[0];'),
          ...hearing('svcStream', made),
        ]
      : []),
    ...hearing('stream', object),
    ...after(begun, ` ${OURS}?.begun?.(self, ${begun?.[1] ?? begun?.[2]});`),
    ...[...source.matchAll(TAKEN)].flatMap((taken) =>
      around(taken, `(${OURS}?.taken ?? ((_, own) => own))(this, `, ')'),
    ),
  ]
}

/** Looks for what is asked before it looks at who: names of models are everywhere, and the source is long. */
function modelsHeard(source: string, isHeard: Readonly<Record<'text' | 'object', boolean>>): Edit[] {
  const callId = '(typeof callId === "string" ? callId : undefined)'
  return [...source.matchAll(ASKED)].flatMap(({ 0: asked, index }) => {
    const [model] = MODEL.exec(source.slice(Math.max(0, index - 20), index)) ?? []
    if (!model) return []
    const heard = isHeard[asked.endsWith('callOptions)') ? 'object' : 'text']
    const alone = isAlone(source, index) ? ', callId === undefined' : ''
    const text = `(${OURS}?.model?.(${model}, ${callId}, ${heard}${alone}) ?? ${model})`
    return [{ at: index - model.length, length: model.length, text }]
  })
}

/** In the function that asks a model once, which applications call as well as `streamText`, with its own call. */
function isAlone(source: string, index: number): boolean {
  const start = source.lastIndexOf('function streamLanguageModelCall(', index)
  return start >= 0 && !/\n\}\s*\n/.test(source.slice(start, index))
}

function hearing(stream: string, transformer: RegExpExecArray | null): Edit[] {
  return around(transformer, `(${OURS}?.hearing ?? ((_, own) => own))(${stream}, `, ')')
}
