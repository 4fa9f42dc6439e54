import { type Attributes, type Context, createContextKey, type Tracer } from '@opentelemetry/api'

const KEY = createContextKey('svc.llm.observed')

/** What an application says of the calls it makes through one client. */
export interface ClientConfig {
  /** Calls of other clients are not meant. */
  readonly client: object
  /** Name of the span. */
  readonly name: string
  readonly attributes: Attributes
  /** Makes the span. */
  readonly tracer: Tracer
}

export function withClientConfig(context: Context, observed: ClientConfig): Context {
  return context.setValue(KEY, observed)
}

/** What is said of the calls that `client` makes in this context. */
export function clientConfigIn(context: Context, client: object): ClientConfig | undefined {
  const observed = context.getValue(KEY) as ClientConfig | undefined
  return observed?.client === client ? observed : undefined
}
