import { createRequire } from 'node:module'
import { join } from 'node:path'
import { trace } from '@opentelemetry/api'
import { log, messageOf } from '@svc/core/log'
import { capturesContent } from '../calls/configure.ts'
import { enrichSpan } from './enrich.ts'
import type { Integration } from './hooks.ts'
import { discreet } from './integration.ts'
import { tracked } from './tracked.ts'

/** The instrumentation scope of the AI SDK's own spans. */
export const SCOPE = 'gen_ai'

/**
 * The AI SDK's own OpenTelemetry integration: of the copy that the application has, which fits its version of the SDK,
 * else of the one that comes with this package. Undefined, with a line at level warn, where none can be loaded.
 */
export function telemetry(): Integration | undefined {
  const places = [join(process.cwd(), 'package.json'), import.meta.url]
  let reason: unknown
  for (const place of places) {
    try {
      const { OpenTelemetry } = createRequire(place)('@ai-sdk/otel') as typeof import('@ai-sdk/otel')
      const tracer = tracked(trace.getTracer(SCOPE), { words: 'gen_ai' })
      return discreet(new OpenTelemetry({ tracer, enrichSpan }), capturesContent)
    } catch (error) {
      reason = error
    }
  }
  log.once('warn', `@ai-sdk/otel cannot be loaded, so calls of the AI SDK are not seen: ${messageOf(reason)}`)
  return undefined
}
