import { createRequire } from 'node:module'
import { attempt } from '@svc/core/attempt'
import { isMethod } from '../calls/shadow.ts'
import { type Integration, isOfSeven } from './hooks.ts'

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

/**
 * The AI SDK's own OpenTelemetry integration, which is loaded with the first call of version 7: it comes with all of
 * version 7, which an application that has version 6 does not need.
 */
export function loadAiSdkTelemetry(): Integration {
  return onceAsked(() => {
    const { telemetry } = require('./telemetry.js') as typeof import('./telemetry.ts')
    return telemetry()
  })
}

/** @internal For tests. */
export function onceAsked(find: () => Integration | undefined): Integration {
  let found: { readonly integration: Integration | undefined } | undefined
  const hookOf = (name: string | symbol): unknown => {
    found ??= attempt('load the telemetry of the AI SDK', () => ({ integration: find() }))
    return found?.integration?.[String(name)]
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
