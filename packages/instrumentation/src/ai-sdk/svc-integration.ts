import { OpenTelemetry } from '@ai-sdk/otel'
import { type Tracer, trace } from '@opentelemetry/api'
import { capturesContent } from '../calls/configure.ts'
import { enrichSpan } from './enrich.ts'
import { discreet } from './integration.ts'
import { SCOPE } from './telemetry.ts'
import { tracked } from './tracked.ts'

export interface SvcVercelAiSdkIntegrationOptions {
  /** Makes the spans. Default: the global provider's tracer `gen_ai`. */
  readonly tracer?: Tracer
}

/**
 * The telemetry of the AI SDK 7 as spans, for those who register it in code; `node --import @svc/register` sees all
 * calls without it, and steps aside where it is registered. Does what `OpenTelemetry` of `@ai-sdk/otel` does, and turns
 * `runtimeContext` into attributes: `svcPrompt: { name, version, isFallback? }` links the model's spans to a prompt of
 * the service, unless it is a fallback; every other key becomes metadata.
 *
 * @example registerTelemetry(new SvcVercelAiSdkIntegration())
 */
export class SvcVercelAiSdkIntegration extends OpenTelemetry {
  constructor({ tracer = trace.getTracer(SCOPE) }: SvcVercelAiSdkIntegrationOptions = {}) {
    super({ tracer: tracked(tracer, { words: 'gen_ai' }), enrichSpan })
    // biome-ignore lint/correctness/noConstructorReturn: the hooks of the base class, which hear content or none
    return discreet(this, capturesContent) as unknown as this
  }
}
