import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { Call } from '../calls/call.ts'
import { capturesContent } from '../calls/configure.ts'
import { callOf } from '../calls/current.ts'
import { type Observer, observe } from '../calls/observe.ts'
import { observedIn } from '../calls/observed.ts'
import { type Fields, fieldsOf, isObject, isPromise, nameOf } from '../calls/read.ts'
import { questionAttributes } from '../calls/result.ts'
import { serverAttributes } from '../calls/server.ts'
import { isMethod, type Method, shadow } from '../calls/shadow.ts'
import { isSuppressed } from '../calls/suppress.ts'
import { followPromise } from './follow-promise.ts'
import { Follower } from './follower.ts'
import type { Library, Operation } from './operation.ts'

// Symbol.for: a second copy of this package must see what the first one did.
const PATCHED = Symbol.for('svc.patched.6')
const ALWAYS = Symbol.for('svc.recorded-always.6')

/**
 * Makes every instance of a client class record its calls. Works on the clients that Stainless generates: all requests
 * go through `post(path, options)`, which returns a promise with helpers, and through `makeRequest`, once for each
 * attempt. The promise the application gets is the library's own.
 *
 * @param client the class, or anything else, which is left alone
 * @returns whether this call made the difference
 */
export function patchClient(client: unknown, library: Library): boolean {
  const prototype = prepareClient(client, library)
  if (!prototype || Object.hasOwn(prototype, ALWAYS)) return false
  Object.defineProperty(prototype, ALWAYS, { value: true })
  return true
}

/** The same for those calls alone that are made under {@link withObserved}; undefined for what is no such class. */
export function prepareClient(client: unknown, library: Library): Fields | undefined {
  const prototype = ownerOf(client, 'post')
  if (!prototype || Object.hasOwn(prototype, PATCHED)) return prototype
  const { post, makeRequest } = prototype
  if (!isMethod(post)) return undefined
  Object.defineProperty(prototype, PATCHED, { value: true })
  shadow(prototype, 'post', observedPost(post, library))
  if (isMethod(makeRequest)) shadow(prototype, 'makeRequest', observedRequest(makeRequest))
  return prototype
}

/** The prototype that has the method itself: a base class serves its subclasses. */
function ownerOf(client: unknown, method: string): Fields | undefined {
  let prototype: unknown = typeof client === 'function' ? client.prototype : undefined
  while (isObject(prototype) && !Object.hasOwn(prototype, method)) prototype = Object.getPrototypeOf(prototype)
  return isObject(prototype) ? prototype : undefined
}

function observedPost(post: Method, library: Library): Method {
  return function (...args) {
    const [path, options] = args
    const operation = operationAt(path, library)
    const call = operation && attempt('begin a span', () => begin(this, operation, options, library))
    if (!call) return post.apply(this, args)
    const promise = context.with(call.context, () => post.apply(this, args))
    if (call.recording) attempt('follow a call', () => followPromise(promise, new Follower(call, operation)))
    return promise
  }
}

function operationAt(path: unknown, { operations }: Library): Operation | undefined {
  if (typeof path !== 'string') return undefined
  const query = path.indexOf('?')
  const pathname = query < 0 ? path : path.slice(0, query)
  return operations.find((operation) => operation.path.test(pathname))
}

function begin(client: unknown, operation: Operation, options: unknown, library: Library): Call | undefined {
  if (!isObject(client) || library.recordsItself?.(client)) return undefined
  const observed = observedIn(context.active(), client)
  if (!observed && !(ALWAYS in client)) return undefined
  if (isSuppressed(context.active(), operation.name)) return undefined
  // From openai 7 on the options are a promise: what is asked is known a moment later.
  const later = isPromise(options)
  const body = later ? {} : fieldsOf(fieldsOf(options).body)
  const { deploymentName } = fieldsOf(client)
  const call = new Call({
    scope: library.scope,
    operation: operation.name,
    model: nameOf(body.model) ?? nameOf(deploymentName),
    name: observed?.name,
    attributes: { ...serverAttributes(client, library.provider), ...observed?.attributes },
    secrets: () => secretsOf(client),
  })
  if (!call.recording) return call
  if (later) options.then((resolved) => describe(call, operation, fieldsOf(resolved).body), ignore)
  else describe(call, operation, body)
  return call
}

/** Where a function provides the key, the client has it from the first request on. */
function secretsOf(client: unknown): readonly string[] {
  const { apiKey, adminAPIKey } = fieldsOf(client)
  return [apiKey, adminAPIKey].filter((key) => typeof key === 'string')
}

function describe(call: Call, operation: Operation, body: unknown): void {
  if (!isObject(body)) return
  const known = attempt('read the parameters of a request', () => operation.parameters(body)) ?? {}
  if (capturesContent()) {
    attempt('read the messages of a request', () => Object.assign(known, questionAttributes(operation.question(body))))
  }
  call.learn(
    attempt('read the model of a request', () => nameOf(body.model)),
    known,
  )
}

/** Errors are observed here and not on the promise: to look at a rejection there would be to handle it. */
function observedRequest(makeRequest: Method): Method {
  return function (...args) {
    const call = callOf(context.active())
    if (!call?.depart()) return makeRequest.apply(this, args)
    return observe(makeRequest.apply(this, args), new Request(call))
  }
}

class Request implements Observer {
  readonly #call: Call

  constructor(call: Call) {
    this.#call = call
  }

  value(): void {
    this.#call.arrive()
  }

  error(reason: unknown): void {
    this.#call.fail(reason)
  }
}

function ignore(): void {}
