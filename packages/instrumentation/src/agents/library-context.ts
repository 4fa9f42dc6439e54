import { type Context, type ContextManager, context } from '@opentelemetry/api'
import * as SLOTS from '@svc/core/slots'

/** Returns the context that the application is in, if it entered one through the library instead of OpenTelemetry. */
export type LibraryContext = (active: Context) => Context | undefined

// Symbol.for: every copy of this package must see what the others patched.
const ORIGINAL = Symbol.for(SLOTS.CONTEXT_ACTIVE)
type Active = (this: ContextManager) => Context
type Manager = ContextManager & { [ORIGINAL]?: Active }

/**
 * Makes the active context reflect the Agents SDK's own step. The SDK stores that in an AsyncLocalStorage of its own;
 * without this, spans created inside a tool would be siblings of the tool's span.
 */
export function useLibraryContext(libraryContext: LibraryContext): void {
  const manager = getContextManager()
  if (!manager || manager[ORIGINAL]) return
  const original: Active = manager.active
  Object.defineProperty(manager, ORIGINAL, { value: original })
  Object.defineProperty(manager, 'active', {
    configurable: true,
    writable: true,
    value(this: ContextManager) {
      const active = original.call(this)
      return libraryContext(active) ?? active
    },
  })
}

/** Returns the active context as OpenTelemetry alone knows it. */
export function activeWithoutLibrary(): Context {
  const manager = getContextManager()
  return manager?.[ORIGINAL]?.call(manager) ?? context.active()
}

function getContextManager(): Manager | undefined {
  const { _getContextManager: get } = context as unknown as { _getContextManager?: () => Manager }
  return get?.call(context)
}
