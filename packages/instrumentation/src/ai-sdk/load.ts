import { createRequire } from 'node:module'
import { join } from 'node:path'
import { trace } from '@opentelemetry/api'
import { log, messageOf } from '@svc/core/log'
import { capturesContent } from '../calls/configure.ts'
import { enrichSpan } from './enrich.ts'
import { discreet, type Integration } from './integration.ts'
import { tracked } from './tracked.ts'

/** The instrumentation scope of the AI SDK's own spans. */
export const SCOPE = 'gen_ai'

/**
 * The AI SDK's own OpenTelemetry integration: the copy that the application has, which fits its version of the SDK, else
 * the one that comes with this package.
 */
export function loadAiSdkTelemetry(): Integration | undefined {
  const places = [join(process.cwd(), 'package.json'), import.meta.url]
  let reason: unknown
  for (const place of places) {
    try {
      const { OpenTelemetry } = createRequire(place)('@ai-sdk/otel') as typeof import('@ai-sdk/otel')
      return discreet(
        new OpenTelemetry({ tracer: tracked(trace.getTracer(SCOPE), { words: 'gen_ai' }), enrichSpan }),
        capturesContent,
      )
    } catch (error) {
      reason = error
    }
  }
  log.once('warn', `@ai-sdk/otel cannot be loaded, so calls of the AI SDK are not seen: ${messageOf(reason)}`)
  return undefined
}
