import { attempt } from '@svc/core/attempt'
import { isMethod } from '../gen-ai/read.ts'
import { type Integration, isOfSeven } from './hooks.ts'

/** Hooks that version 6 reads from the same registry, with other events. */
const HOOKS_OF_6: ReadonlySet<unknown> = new Set([
  'onStart',
  'onStepStart',
  'onToolCallStart',
  'onToolCallFinish',
  'onStepFinish',
  'onFinish',
])

/** Returns an integration that is found with the first call of the AI SDK 7. */
export function lazyIntegration(find: () => object | undefined): Integration {
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
        if (!HOOKS_OF_6.has(name)) return hookOf(name)
        // Version 7 copies each event once for each hook.
        const isMissing = found?.integration !== undefined && hookOf(name) === undefined
        return isMissing ? undefined : lazyHook(() => hookOf(name))
      },
    },
  )
}

/** Returns a hook that is looked up at its first event of version 7, once: the SDK holds it as long as the call may go on. */
function lazyHook(find: () => unknown): (event: unknown) => unknown {
  let hook: unknown
  return (event) => {
    if (!isOfSeven(event)) return undefined
    hook ??= find()
    return isMethod(hook) ? hook(event) : undefined
  }
}
