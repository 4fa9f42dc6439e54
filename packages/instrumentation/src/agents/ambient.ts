import { type Context, type ContextManager, context } from '@opentelemetry/api'

/** Says which context the application is in, where it entered one that OpenTelemetry was not told of. */
export type Ambient = (active: Context) => Context | undefined

// Symbol.for: a second copy of this package must see what the first one did.
const ORIGINAL = Symbol.for('svc.context-active.6')
type Active = (this: ContextManager) => Context
type Manager = ContextManager & { [ORIGINAL]?: Active }

/**
 * Asks `ambient` whenever somebody asks for the active context. The Agents SDK keeps the step it is in to itself, in an
 * AsyncLocalStorage of its own; without this a span made inside a tool would hang beside the tool's.
 */
export function enterAmbient(ambient: Ambient): void {
  const manager = managerOf()
  if (!manager || manager[ORIGINAL]) return
  const own: Active = manager.active
  Object.defineProperty(manager, ORIGINAL, { value: own })
  Object.defineProperty(manager, 'active', {
    configurable: true,
    writable: true,
    value(this: ContextManager) {
      const active = own.call(this)
      return ambient(active) ?? active
    },
  })
}

/** The active context as OpenTelemetry alone knows it. */
export function plainContext(): Context {
  const manager = managerOf()
  return manager?.[ORIGINAL]?.call(manager) ?? context.active()
}

function managerOf(): Manager | undefined {
  const { _getContextManager: get } = context as unknown as { _getContextManager?: () => Manager }
  return get?.call(context)
}
