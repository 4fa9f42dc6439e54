import { type Attributes, type Context, context, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { withPropagatedAttributes } from '@svc/core/context'
import { log } from '@svc/core/log'
import { getSvcTracer, propagateAttributes } from '@svc/tracing'
import { propagatedValues, readPrompt } from '@svc/tracing/adapters'
import { asRecord, type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { type ClientConfig, withClientConfig } from '../stainless/client-config.ts'
import { helperWrappers } from '../stainless/helpers.ts'
import { prepareClient } from '../stainless/patch.ts'
import { wrappers } from './instrument.ts'
import { ObservedCall } from './observed-call.ts'

/** Options of {@link observeOpenAI} (contract 4.3). */
export interface ObserveOpenAIConfig {
  readonly traceName?: string
  readonly sessionId?: string
  readonly userId?: string
  readonly tags?: readonly string[]
  /** Name of the generation. Default `<class>.<resource>`: `OpenAI.chat`, `OpenAI.responses`. */
  readonly generationName?: string
  readonly generationMetadata?: Readonly<Record<string, unknown>>
  /** The prompt that the calls use, as returned by `client.prompt.get`. A fallback prompt is not linked. */
  readonly svcPrompt?: { readonly name: string; readonly version: number; readonly isFallback?: boolean }
  /** Parent span of the generations. Default: the active span. */
  readonly parentSpanContext?: SpanContext
}

/**
 * The client and configuration of each proxy. A client that is observed again gets one proxy with both configurations.
 */
const PROXIED = new WeakMap<object, { readonly client: object; readonly config: ObserveOpenAIConfig }>()

/**
 * Returns a proxy of an OpenAI client that records each model call as a generation, for applications that prefer code
 * to the preload. With the preload a call is still one generation. Promises, streams and helpers are the library's own,
 * and the given client does not change. Never throws.
 *
 * @param client of the `openai` package, 4.19 up to 7.x, or of a compatible one
 * @example
 * const openai = observeOpenAI(new OpenAI(), { sessionId: 'chat-7', tags: ['beta'] })
 */
export function observeOpenAI<Client extends object>(client: Client, config: ObserveOpenAIConfig = {}): Client {
  const existing = PROXIED.get(client)
  if (existing) return observeOpenAI(existing.client as Client, { ...existing.config, ...config })
  const prepared = attempt('observe an OpenAI client', () => prepareClient(client.constructor, wrappers))
  if (prepared) return createProxy(client, config)
  log.once('warn', 'observeOpenAI expected an OpenAI client; the value was returned unchanged.')
  return client
}

function createProxy<Client extends object>(client: Client, config: ObserveOpenAIConfig): Client {
  const proxy = new ClientProxy(client, config).proxyOf(client)
  PROXIED.set(proxy, { client, config })
  return proxy
}

/** Creates proxies of a client and of its resources: objects with a reference to the client. */
class ClientProxy {
  readonly #client: object
  readonly #config: ObserveOpenAIConfig
  readonly #proxies = new WeakMap<object, object>()

  constructor(client: object, config: ObserveOpenAIConfig) {
    this.#client = client
    this.#config = config
  }

  proxyOf<T extends object>(target: T): T {
    const existing = this.#proxies.get(target)
    if (existing) return existing as T
    const proxy = new Proxy(target, {
      get: (_, name) => {
        // Private fields exist only on the target.
        const value: unknown = Reflect.get(target, name, target)
        if (isResource(value, target)) return this.proxyOf(value)
        return isMethod(value) && typeof name === 'string' && name !== 'constructor'
          ? this.#wrapMethod(target, name === 'stream' ? helperWrappers.stream(value) : value)
          : value
      },
    })
    this.#proxies.set(target, proxy)
    return proxy
  }

  #wrapMethod(target: object, method: Method): Method {
    return (...args) => {
      const call = () => method.apply(target, args)
      const config = attempt('observe a call', () => this.#createClientConfig())
      const result = config ? context.with(config.context, () => withClientConfig(config, call)) : call()
      // `withOptions()` returns another client.
      return isObject(result) && result.constructor === this.#client.constructor
        ? createProxy(result, this.#config)
        : result
    }
  }

  #createClientConfig(): ClientConfig {
    const { generationName } = this.#config
    return {
      client: this.#client,
      attributes: this.#createAttributes(),
      tracer: getSvcTracer(),
      context: this.#createContext(),
      observe: (operation, path) => new ObservedCall(operation, generationName ?? generationNameOf(this.#client, path)),
    }
  }

  /** Returns the parent context of the calls, also if there is no context manager. */
  #createContext(): Context {
    const { traceName, sessionId, userId, tags, parentSpanContext } = this.#config
    const values = { traceName, sessionId, userId, tags }
    const active = context.active()
    const parent = parentSpanContext ? trace.setSpanContext(active, parentSpanContext) : active
    if (Object.values(values).every((value) => value === undefined)) return parent
    const found = context.with(parent, () => propagateAttributes(values, () => context.active()))
    if (found !== ROOT_CONTEXT) return found
    return withPropagatedAttributes(parent, propagatedValues(values, ignore))
  }

  #createAttributes(): Attributes {
    const { generationMetadata, svcPrompt } = this.#config
    return {
      [ATTRIBUTE.OBSERVATION_TYPE]: 'generation',
      ...metadataAttributes(asRecord(generationMetadata)),
      ...(svcPrompt ? readPrompt(svcPrompt, ignore) : {}),
    }
  }
}

function ignore(): void {}

/** Returns the default generation name: `/chat/completions` of `OpenAI` → `OpenAI.chat`. */
function generationNameOf(client: object, path: string): string {
  return [client.constructor.name, /[a-z_]+/.exec(path)?.[0]].join('.')
}

function isResource(value: unknown, owner: object): value is Fields {
  return isObject(value) && value !== owner && isObject(value._client ?? value.client)
}
