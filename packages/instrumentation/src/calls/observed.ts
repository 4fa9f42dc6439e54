import { type Attributes, type Context, createContextKey } from '@opentelemetry/api'

const KEY = createContextKey('svc.llm.observed')

/** What an application says of the calls it makes through one client. */
export interface Observed {
  /** Calls of other clients are not meant. */
  readonly client: object
  /** Name of the span. */
  readonly name: string
  readonly attributes: Attributes
}

export function withObserved(context: Context, observed: Observed): Context {
  return context.setValue(KEY, observed)
}

/** What is said of the calls that `client` makes in this context. */
export function observedIn(context: Context, client: object): Observed | undefined {
  const observed = context.getValue(KEY) as Observed | undefined
  return observed?.client === client ? observed : undefined
}
