import type { Attributes, Context, Tracer } from '@opentelemetry/api'
import { builtin } from '@svc/core/builtin'
import * as SLOTS from '@svc/core/slots'
import type { Fields } from '../gen-ai/read.ts'
import type { CallSpan, CallWriter } from '../record/call.ts'
import type { ModelEndpoint } from './endpoint.ts'

/** How the calls of one client are recorded, as set by `observeOpenAI`. */
export interface ClientConfig {
  /** The client; calls of other clients are not affected. */
  readonly client: object
  readonly attributes: Attributes
  /** The tracer for the spans. */
  readonly tracer: Tracer
  /** The parent context, used if there is no context manager. */
  readonly context: Context
  /** @param path the path that the client posts to */
  observe(operation: ModelEndpoint, path: string): ObservedEndpoint
}

/** How one call is named and written. */
export interface ObservedEndpoint extends CallWriter {
  /** Name of the span. */
  readonly name: string
  readonly endpoint: ModelEndpoint
  request(body: Fields): Attributes
}

interface ClientScope {
  readonly config: ClientConfig
  readonly call?: CallSpan | undefined
}

interface Storage {
  run<T>(running: ClientScope, work: () => T): T
  getStore(): ClientScope | undefined
}

// On globalThis, because the preload and the application have a copy of this module each. Not in OpenTelemetry's
// context, which is not propagated without a context manager.
const SLOT = Symbol.for(SLOTS.OBSERVED_CLIENT)
const slots = globalThis as unknown as Record<symbol, Storage | undefined>

function storage(): Storage | undefined {
  const hooks = builtin('node:async_hooks')
  if (hooks) slots[SLOT] ??= new hooks.AsyncLocalStorage<ClientScope>()
  return slots[SLOT]
}

/** Calls `work`; its calls are recorded with this configuration. */
export function withClientConfig<T>(config: ClientConfig, work: () => T): T {
  const stored = storage()
  return stored ? stored.run({ config }, work) : work()
}

/** Calls `work` as the request of one observed call. */
export function withObservedCall<T>(config: ClientConfig, call: CallSpan, work: () => T): T {
  const stored = storage()
  return stored ? stored.run({ config, call }, work) : work()
}

/** Returns the configuration of the calls made now. */
export function clientConfig(): ClientConfig | undefined {
  return slots[SLOT]?.getStore()?.config
}

/** Returns the observed call whose request is made now. */
export function observedCall(): CallSpan | undefined {
  return slots[SLOT]?.getStore()?.call
}
