import { createRequire } from 'node:module'
import { join } from 'node:path'
import { trace } from '@opentelemetry/api'
import { log, messageOf } from '@svc/core/log'
import { capturesContent } from '../calls/configure.ts'
import { isMethod } from '../calls/shadow.ts'
import { enrichSpan } from './enrich.ts'
import { discreet, type Integration, isOfSeven } from './integration.ts'
import { tracked } from './tracked.ts'

/** The instrumentation scope of the AI SDK's own spans. */
export const SCOPE = 'gen_ai'

/** What version 6 asks of the same registry, whose events are others. */
const ASKED_BY_6: ReadonlySet<unknown> = new Set([
  'onStart',
  'onStepStart',
  'onToolCallStart',
  'onToolCallFinish',
  'onStepFinish',
  'onFinish',
])

/**
 * The AI SDK's own OpenTelemetry integration, which is loaded with the first call of version 7: it comes with all of
 * version 7, which an application that has version 6 does not need.
 */
export function loadAiSdkTelemetry(): Integration {
  return onceAsked(load)
}

/** @internal For tests. */
export function onceAsked(find: () => Integration | undefined): Integration {
  let found: { readonly integration: Integration | undefined } | undefined
  const hookOf = (name: string | symbol): unknown => {
    found ??= { integration: find() }
    return found.integration?.[String(name)]
  }
  return new Proxy<Integration>(
    {},
    { get: (_, name) => (ASKED_BY_6.has(name) ? later(() => hookOf(name)) : hookOf(name)) },
  )
}

/** A hook that is looked up with its first event of version 7, once: as long as it is held, the call may go on. */
function later(find: () => unknown): (event: unknown) => unknown {
  let hook: unknown
  return (event) => {
    if (!isOfSeven(event)) return undefined
    hook ??= find()
    return isMethod(hook) ? hook(event) : undefined
  }
}

/** The copy that the application has, which fits its version of the SDK, else the one that comes with this package. */
function load(): Integration | undefined {
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
