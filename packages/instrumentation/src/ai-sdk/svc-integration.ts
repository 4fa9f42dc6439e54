import { context, type Tracer } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { endWhenCollected } from '@svc/core/open-calls'
import { getSvcTracerProvider } from '@svc/tracing'
import { asRecord, asString, type Fields, isPromise } from '../gen-ai/read.ts'
import { getTracer } from '../record/tracer.ts'
import { DECIDE, operationOf } from './operations.ts'
import { modelContext } from './part.ts'
import { MODEL, PART_HOOKS, STEP, toolKey } from './parts.ts'
import { SCOPE } from './scope.ts'
import { SdkCall } from './sdk-call.ts'
import { outcomeOf } from './span-outcome.ts'

export interface SvcVercelAiSdkIntegrationOptions {
  /** Makes the spans. Default: the tracer `gen_ai` of the provider of `@svc/tracing`, see `setSvcTracerProvider`. */
  readonly tracer?: Tracer
}

/** Runs while the SDK does a part of its work. */
interface Execution<T> {
  readonly callId: string
  readonly execute: () => PromiseLike<T>
}

/**
 * The telemetry of the AI SDK 7 as spans, for those who register it in code; `node --import @svc/register` sees all
 * calls without it, and steps aside where it is registered. Makes the spans that `OpenTelemetry` of `@ai-sdk/otel` makes.
 * Messages, tools and answers are written in the service's attributes (`svc.observation.input` and `.output`); for
 * another destination wrap its processor in `genAiConventions` of `@svc/otel`. Turns `runtimeContext` into attributes:
 * `svcPrompt: { name, version, isFallback? }` links the model's spans to a prompt of the service, unless it is a
 * fallback; every other key becomes metadata. Its methods are called by the SDK, and never throw.
 *
 * @example registerTelemetry(new SvcVercelAiSdkIntegration())
 */
export class SvcVercelAiSdkIntegration {
  readonly #tracer: () => Tracer
  readonly #measures: boolean
  readonly #calls = new Map<string, SdkCall>()

  /** @param measures @internal whether the application's meter provider gets the durations of requests */
  constructor({ tracer }: SvcVercelAiSdkIntegrationOptions = {}, measures = true) {
    this.#measures = measures
    // The provider may be set after this was made.
    this.#tracer = tracer ? () => tracer : () => getSvcTracerProvider().getTracer(SCOPE)
  }

  /** A run in several processes is recorded in each of them, as far as it runs there. */
  readonly experimental_durable = { captureContext: (): undefined => undefined }

  /**
   * The SDK reads this hook again at each call and holds it as long as the call may go on. When it is collected, the call
   * ends: nothing else reports a stream that is never read to its end.
   */
  get onStart(): (event: unknown) => void {
    const reader = (event: unknown) => {
      const call = this.#start(asRecord(event))
      if (call) endWhenCollected(reader, call)
    }
    return reader
  }

  onEnd(event: unknown): void {
    this.#record(event, (call, fields) => call.end(fields))
  }

  onAbort(event: unknown): void {
    this.#record(event, (call, fields) => call.abort(fields))
  }

  onError(event: unknown): void {
    this.#record(event, (call, fields) => call.fail(fields.error ?? event, fields))
  }

  onStepStart(event: unknown): void {
    this.#record(event, PART_HOOKS.onStepStart)
  }

  onStepEnd(event: unknown): void {
    this.#record(event, PART_HOOKS.onStepEnd)
  }

  onStepError(event: unknown): void {
    this.#record(event, PART_HOOKS.onStepError)
  }

  onLanguageModelCallStart(event: unknown): void {
    this.#record(event, PART_HOOKS.onLanguageModelCallStart)
  }

  onLanguageModelCallEnd(event: unknown): void {
    this.#record(event, PART_HOOKS.onLanguageModelCallEnd)
  }

  onObjectStepStart(event: unknown): void {
    this.#record(event, PART_HOOKS.onObjectStepStart)
  }

  onObjectStepEnd(event: unknown): void {
    this.#record(event, PART_HOOKS.onObjectStepEnd)
  }

  onToolExecutionStart(event: unknown): void {
    this.#record(event, PART_HOOKS.onToolExecutionStart)
  }

  onToolExecutionEnd(event: unknown): void {
    this.#record(event, PART_HOOKS.onToolExecutionEnd)
  }

  onEmbedStart(event: unknown): void {
    this.#record(event, PART_HOOKS.onEmbedStart)
  }

  onEmbedEnd(event: unknown): void {
    this.#record(event, PART_HOOKS.onEmbedEnd)
  }

  onRerankStart(event: unknown): void {
    this.#record(event, PART_HOOKS.onRerankStart)
  }

  onRerankEnd(event: unknown): void {
    this.#record(event, PART_HOOKS.onRerankEnd)
  }

  experimental_onDecideStart(event: unknown): void {
    this.#start(asRecord(event), DECIDE)
  }

  experimental_onDecideEnd(event: unknown): void {
    this.onEnd(event)
  }

  experimental_onDecisionModelCallStart(event: unknown): void {
    this.#record(event, PART_HOOKS.experimental_onDecisionModelCallStart)
  }

  experimental_onDecisionModelCallEnd(event: unknown): void {
    this.#record(event, PART_HOOKS.experimental_onDecisionModelCallEnd)
  }

  experimental_onStreamTranscriptionStart(event: unknown): void {
    this.#start(asRecord(event))
  }

  experimental_onStreamTranscriptionEnd(event: unknown): void {
    this.onEnd(event)
  }

  /**
   * Runs a request to the model inside of its span. The client of a vendor that the provider may call makes no second
   * span of it. One that fails may be made again, which has a span of its own.
   */
  executeLanguageModelCall<T>({ callId, execute }: Execution<T>): PromiseLike<T> {
    const call = this.#calls.get(callId)
    const model = call?.part(MODEL)
    const answer = context.with(modelContext(model ?? call?.part(STEP)), execute)
    const span = model?.open
    if (span && isPromise(answer)) answer.then(undefined, (error: unknown) => span.expect(outcomeOf(error)))
    return answer
  }

  /** Runs a tool inside of its span. */
  executeTool<T>({ callId, toolCallId, execute }: Execution<T> & { readonly toolCallId: string }): PromiseLike<T> {
    const tool = this.#calls.get(callId)?.part(toolKey(toolCallId))
    return tool ? context.with(tool.context, execute) : execute()
  }

  #start(event: Fields, operation = operationOf(String(event.operationId))): SdkCall | undefined {
    const id = asString(event.callId)
    if (id === undefined) return undefined
    const options = { tracer: this.#tracer(), operation, calls: this.#calls, measures: this.#measures }
    return attempt('record a call of the AI SDK', () => new SdkCall(id, event, options))
  }

  #record(event: unknown, record: (call: SdkCall, event: Fields) => void): void {
    const fields = asRecord(event)
    const call = this.#calls.get(String(fields.callId))
    if (call) attempt('record a part of a call of the AI SDK', () => record(call, fields))
  }
}

/**
 * Creates the integration that the preload registers: its spans are made by the pipeline, and the application's meter
 * provider, which did not ask for it, gets nothing.
 */
export function createGlobalIntegration(): SvcVercelAiSdkIntegration {
  return new SvcVercelAiSdkIntegration({ tracer: getTracer(SCOPE) }, false)
}
