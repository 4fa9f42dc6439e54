import { type Attributes, context, ROOT_CONTEXT } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import { asName, asRecord, asString, type Fields, isObject, isPromise, type Method } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import { followJob } from '../jobs/request.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { answeringTracer } from '../record/answer-taker.ts'
import type { CallSpan } from '../record/call.ts'
import { getCall, withVendorBound } from '../record/current.ts'
import { isSuppressed } from '../record/suppress.ts'
import { requestContentAttributes } from '../record/write.ts'
import { readBody } from './body.ts'
import {
  type ClientConfig,
  clientConfig,
  type ObservedEndpoint,
  observedCall,
  withObservedCall,
} from './client-config.ts'
import type { ClientLibrary, ModelEndpoint } from './endpoint.ts'
import { followPromise } from './follow-promise.ts'
import { CallFollower } from './follower.ts'
import { startedIn } from './helpers.ts'
import { ALWAYS } from './patch.ts'

/**
 * Creates wrappers for two methods of a client that Stainless generates. `post` is called once per call of the API, and
 * starts its span. `makeRequest` is called inside for each attempt, and shows when the response arrives or fails.
 */
export function createClientWrappers(library: ClientLibrary): Wrappers {
  return { post: (post) => wrapPost(post, library), get: (get) => wrapGet(get, library), makeRequest: wrapMakeRequest }
}

function wrapPost(post: Method, library: ClientLibrary): Method {
  return function (...args) {
    const operation = findEndpoint(args[0], library, 'path')
    if (!operation) return withJobFollowed(this, post.apply(this, args), cancelledJob(args[0]), library)
    if (isObject(this) && library.recordsItself?.(this)) {
      // No span of ours, but the model vendor gets no trace context here either.
      return context.with(withVendorBound(context.active()), () => post.apply(this, args))
    }
    const started = attempt('begin a span', startCall, this, operation, args, library)
    if (!started) return post.apply(this, args)
    const { call, config } = started
    const send = () => post.apply(this, args)
    const promise = config ? withObservedCall(config, call, () => call.run(send)) : call.run(send)
    if (call.recording) attempt('follow a call', followPromise, promise, new CallFollower(call, started.operation))
    return promise
  }
}

/** Follows requests for the state of a job, and for its results. */
function wrapGet(get: Method, library: ClientLibrary): Method {
  return function (...args) {
    return withJobFollowed(this, get.apply(this, args), args[0], library)
  }
}

/** Follows what says the state of a job, which `path` names, or has its results. Returns the promise of it. */
function withJobFollowed(client: unknown, promise: unknown, path: unknown, library: ClientLibrary): unknown {
  const state = findEndpoint(path, library, 'statePath')
  const operation = state ?? findEndpoint(path, library, 'resultsPath')
  if (!operation || !isObject(client) || library.recordsItself?.(client)) return promise
  if (!(ALWAYS in client || clientConfig()?.client === client)) return promise
  attempt('follow a job', () => {
    const { scope, provider } = library
    const results = state ? undefined : String(path)
    followPromise(promise, followJob(client, operation, { scope, provider, results, tracer: clientConfig()?.tracer }))
  })
  return promise
}

/** The path of a job that somebody cancels, whose answer is its state. */
const cancelledJob = (path: unknown) => /^([^?]+)\/cancel(?:\?|$)/.exec(asString(path) ?? '')?.[1]

/** Returns the endpoint that a path belongs to; undefined if it calls no model. */
function findEndpoint(
  path: unknown,
  { operations }: ClientLibrary,
  field: 'path' | 'statePath' | 'resultsPath',
): ModelEndpoint | undefined {
  if (typeof path !== 'string') return undefined
  const query = path.indexOf('?')
  const pathname = query < 0 ? path : path.slice(0, query)
  for (const operation of operations) if (operation[field]?.test(pathname)) return operation
  return undefined
}

interface StartedCall {
  readonly call: CallSpan
  /** How the response is read. */
  readonly operation: ModelEndpoint
  /** Set for a client that was passed to `observeOpenAI`. */
  readonly config: ClientConfig | undefined
}

/** Starts the span of a call; undefined if calls of this client, or in this context, are not recorded. */
function startCall(
  client: unknown,
  operation: ModelEndpoint,
  [path, options]: readonly unknown[],
  library: ClientLibrary,
): StartedCall | undefined {
  if (!isObject(client)) return undefined
  const active = clientConfig()
  const config = active?.client === client ? active : undefined
  if (!config && !(ALWAYS in client)) return undefined
  const parent = context.active()
  const framework = isSuppressed(parent, operation.name) && answeringTracer(parent)
  if (framework === undefined) return undefined
  const observed = framework || operation.isUnobserved ? undefined : config?.observe(operation, String(path))
  // From openai 7 on the options are a promise, so the request is known only later.
  const isDeferred = isPromise(options)
  const body = isDeferred ? {} : asRecord(asRecord(options).body)
  const { deploymentName } = asRecord(client)
  const call = startedIn(parent, {
    scope: library.scope,
    operation: operation.name,
    model: operation.title === undefined ? (asName(body.model) ?? asName(deploymentName)) : undefined,
    name: observed?.name ?? operation.title,
    isVendors: true,
    tracer: framework || config?.tracer,
    isFrameworks: framework !== false,
    context: (parent === ROOT_CONTEXT ? config?.context : undefined) ?? parent,
    writer: observed,
    attributes: {
      ...serverAttributes(client, library.provider),
      ...config?.attributes,
      ...(operation.title !== undefined && { [ATTRIBUTE.OBSERVATION_TYPE]: 'span' }),
    },
    secrets: () => readSecrets(client),
  })
  const started = { call, operation: observed?.endpoint ?? operation, config }
  // The framework knows what it asked.
  if (!call.recording || framework) return started
  if (isDeferred) {
    const read = (request: unknown) => {
      attempt('read a request', setLateRequest, call, operation, asRecord(request), observed)
    }
    options.then(read, ignore)
  } else {
    call.signal = asRecord(options).signal
    setRequestAttributes(call, operation, body, observed)
  }
  return started
}

/** Adds what is read of a request that was not known at the start. */
function setLateRequest(
  call: CallSpan,
  operation: ModelEndpoint,
  request: Fields,
  observed: ObservedEndpoint | undefined,
): void {
  call.signal = request.signal
  const body = asRecord(readBody(request))
  setRequestAttributes(call, operation, body, observed, () => asName(body.model))
}

/** Read when a call fails, not before: if a function provides the key, the client stores it with the first request. */
function readSecrets(client: unknown): readonly string[] {
  const { apiKey, adminAPIKey } = asRecord(client)
  return [apiKey, adminAPIKey].filter((key) => typeof key === 'string')
}

/** @param lateModel reads the model, if it was not known at the start */
function setRequestAttributes(
  call: CallSpan,
  operation: ModelEndpoint,
  body: Fields,
  observed: ObservedEndpoint | undefined,
  lateModel?: () => string | undefined,
): void {
  const readParameters = observed ? (request: Fields) => observed.request(request) : operation.readParameters
  const attributes = attempt('read the parameters of a request', readParameters, body) ?? {}
  if (capturesContent() && !observed) {
    Object.assign(attributes, attempt('read the messages of a request', readMessages, operation, body))
  }
  call.setRequest(lateModel && attempt('read the model of a request', lateModel), attributes)
}

function readMessages(operation: ModelEndpoint, body: Fields): Attributes {
  return requestContentAttributes(operation.readRequest(body))
}

/**
 * Errors are observed here instead of on the promise, because observing a rejection there would count as handling it.
 */
function wrapMakeRequest(makeRequest: Method): Method {
  return function (...args) {
    const call = getCall(context.active()) ?? observedCall()
    if (!call?.requestSent()) return makeRequest.apply(this, args)
    return tapPromise(makeRequest.apply(this, args), {
      value: (made) => {
        const { headers } = asRecord(asRecord(made).response)
        call.responseStarted((name) => (headers as Headers).get(name))
      },
      error: (reason) => call.fail(reason),
    })
  }
}

function ignore(): void {}
