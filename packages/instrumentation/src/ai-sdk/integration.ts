/** A telemetry integration of the AI SDK 7, as far as we look at it: hooks by name. */
export type Integration = Readonly<Record<string, unknown>>

/**
 * Whether an integration makes spans of its own: beside listening, it runs tools and model calls inside them. Judged by
 * what it does, because bundlers rename classes.
 */
export function makesSpans(integration: unknown): boolean {
  if (typeof integration !== 'object' || integration === null) return false
  const { executeTool, onStart } = integration as Integration
  return typeof executeTool === 'function' && typeof onStart === 'function'
}

/** The same integration, which hears no content while `mayHear` says so: as if every call had asked for that. */
export function discreet(integration: object, mayHear: () => boolean): Integration {
  return new Proxy(integration as Integration, {
    get(target, name) {
      const hook: unknown = Reflect.get(target, name, target)
      if (typeof hook !== 'function') return hook
      return (event: unknown, ...rest: unknown[]) =>
        Reflect.apply(hook, target, [mayHear() ? event : withoutContent(event), ...rest])
    },
  })
}

function withoutContent(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return event
  const copy = Object.assign(Object.create(Object.getPrototypeOf(event)), event)
  return Object.assign(copy, { recordInputs: false, recordOutputs: false })
}
