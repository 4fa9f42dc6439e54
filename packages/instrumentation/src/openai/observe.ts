import { type Attributes, context, type SpanContext, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { toMetadataText } from '@svc/core/json'
import { log } from '@svc/core/log'
import { getSvcTracer, propagateAttributes } from '@svc/tracing'
import { asRecord, type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { type ClientConfig, withClientConfig } from '../record/client-config.ts'
import { prepareClient } from '../stainless/patch.ts'
import { observing } from './instrument.ts'

/** What {@link observeOpenAI} says of the calls it observes (contract 4.3). */
export interface ObserveOpenAIConfig {
  /** Name of the trace, for this call and what is below it. */
  readonly traceName?: string
  readonly sessionId?: string
  readonly userId?: string
  readonly tags?: readonly string[]
  /** Name of the generation. Default `<class>.<method>`: `Completions.create`. */
  readonly generationName?: string
  readonly generationMetadata?: Readonly<Record<string, unknown>>
  /** The prompt of the service that is used, as `client.prompt.get` gives it. A fallback links to nothing. */
  readonly svcPrompt?: { readonly name: string; readonly version: number; readonly isFallback?: boolean }
  /** The span to hang the generation from. Default: the active one. */
  readonly parentSpanContext?: SpanContext
}

/** What observed clients stand for: one that is observed again has one observer, with what was said both times. */
const OBSERVED = new WeakMap<object, { readonly client: object; readonly config: ObserveOpenAIConfig }>()

/**
 * An OpenAI client of which each call of a model is a generation, for those who prefer code to the preload. Beside the
 * preload a call stays one generation. Promises, streams and helpers are the library's own, and the client that was
 * given stays as it is. Never throws.
 *
 * @param client of the `openai` package, 4.19 up to 7.x, or of a compatible one
 * @example
 * const openai = observeOpenAI(new OpenAI(), { sessionId: 'chat-7', tags: ['beta'] })
 */
export function observeOpenAI<Client extends object>(client: Client, config: ObserveOpenAIConfig = {}): Client {
  const known = OBSERVED.get(client)
  if (known) return observeOpenAI(known.client as Client, { ...known.config, ...config })
  const prepared = attempt('observe an OpenAI client', () => prepareClient(client.constructor, () => observing))
  if (prepared) return observed(client, config)
  log.once('warn', 'observeOpenAI was given what is no OpenAI client, and hands it back unobserved.')
  return client
}

function observed<Client extends object>(client: Client, config: ObserveOpenAIConfig): Client {
  const proxy = new Observer(client, config).observed(client)
  OBSERVED.set(proxy, { client, config })
  return proxy
}

/** Resources of a client are observed along with it: what has a way back to the client. */
class Observer {
  readonly #client: object
  readonly #config: ObserveOpenAIConfig
  readonly #known = new WeakMap<object, object>()

  constructor(client: object, config: ObserveOpenAIConfig) {
    this.#client = client
    this.#config = config
  }

  observed<T extends object>(target: T): T {
    const known = this.#known.get(target)
    if (known) return known as T
    const proxy = new Proxy(target, {
      get: (_, name) => {
        // Private fields are found on the target alone.
        const value: unknown = Reflect.get(target, name, target)
        if (isResource(value, target)) return this.observed(value)
        return isMethod(value) && typeof name === 'string' && name !== 'constructor'
          ? this.#method(target, name, value)
          : value
      },
    })
    this.#known.set(target, proxy)
    return proxy
  }

  #method(target: object, name: string, method: Method): Method {
    return (...args) => {
      const { traceName, sessionId, userId, tags, parentSpanContext } = this.#config
      const said = attempt('name a generation', () => this.#describe(target, name))
      const parent = parentSpanContext ? trace.setSpanContext(context.active(), parentSpanContext) : context.active()
      const call = () => method.apply(target, args)
      if (!said) return call()
      const propagated = Object.fromEntries(
        Object.entries({ traceName, sessionId, userId, tags }).filter(([, value]) => value !== undefined),
      )
      const result = context.with(parent, () =>
        propagateAttributes(propagated, () => context.with(withClientConfig(context.active(), said), call)),
      )
      // `withOptions()` makes another client.
      return isObject(result) && result.constructor === this.#client.constructor
        ? observed(result, this.#config)
        : result
    }
  }

  #describe(target: object, method: string): ClientConfig {
    const { generationName, generationMetadata, svcPrompt } = this.#config
    const attributes: Attributes = {}
    for (const [key, value] of Object.entries(asRecord(generationMetadata))) {
      const text = toMetadataText(value)
      if (text !== undefined) attributes[`${ATTRIBUTE.OBSERVATION_METADATA}.${key}`] = text
    }
    if (svcPrompt && !svcPrompt.isFallback) {
      attributes[ATTRIBUTE.OBSERVATION_PROMPT_NAME] = svcPrompt.name
      attributes[ATTRIBUTE.OBSERVATION_PROMPT_VERSION] = svcPrompt.version
    }
    const name = generationName ?? `${target.constructor.name}.${method}`
    return { client: this.#client, name, attributes, tracer: getSvcTracer() }
  }
}

function isResource(value: unknown, owner: object): value is Fields {
  return isObject(value) && value !== owner && isObject(value._client ?? value.client)
}
