import { createRequire } from 'node:module'
import { trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { isMethod } from '../gen-ai/read.ts'
import { type Integration, isOfSeven } from './hooks.ts'
import { SCOPE } from './scope.ts'

const require = createRequire(import.meta.url)

/** What version 6 asks of the same registry, whose events are others. */
const ASKED_BY_6: ReadonlySet<unknown> = new Set([
  'onStart',
  'onStepStart',
  'onToolCallStart',
  'onToolCallFinish',
  'onStepFinish',
  'onFinish',
])

/** Our telemetry of the AI SDK 7, whose module is loaded with the first call of that version. */
export function loadAiSdkTelemetry(): Integration {
  return onceAsked(() => {
    const { SvcVercelAiSdkIntegration } = require('./svc-integration.js') as typeof import('./svc-integration.ts')
    return new SvcVercelAiSdkIntegration({ tracer: trace.getTracer(SCOPE) })
  })
}

/** @internal For tests. */
export function onceAsked(find: () => object | undefined): Integration {
  let found: { readonly integration: object | undefined } | undefined
  const hookOf = (name: string | symbol): unknown => {
    found ??= attempt('load the telemetry of the AI SDK', () => ({ integration: find() }))
    const integration = found?.integration
    const hook: unknown = integration && Reflect.get(integration, name)
    return isMethod(hook) ? hook.bind(integration) : hook
  }
  return new Proxy<Integration>(
    {},
    {
      get(_, name) {
        if (!ASKED_BY_6.has(name)) return hookOf(name)
        // Version 7 copies each event for each hook that it finds.
        const isMissing = found?.integration !== undefined && hookOf(name) === undefined
        return isMissing ? undefined : later(() => hookOf(name))
      },
    },
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
