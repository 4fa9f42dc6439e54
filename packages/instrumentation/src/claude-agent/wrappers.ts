import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { endWhenCollected } from '@svc/core/open-calls'
import { overrideMethod } from '@svc/core/override-method'
import { asRecord, type Fields, isMethod, isObject, isPromise, type Method } from '../gen-ai/read.ts'
import { callBefore } from '../patch/call-before.ts'
import { type IteratorHandler, observeIterator } from '../patch/iterator-observer.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { runVendorBound } from '../record/current.ts'
import { AgentQuery } from './agent-query.ts'
import { wrapCreateServer } from './application-tools.ts'
import { observePromptStream } from './prompt.ts'

/** Wraps the functions of `@anthropic-ai/claude-agent-sdk`. */
export const wrappers: Wrappers = {
  query: wrapQuery,
  startup: wrapStartup,
  createSdkMcpServer: wrapCreateServer,
}

function wrapQuery(original: Method): Method {
  return function (...args) {
    const [query, ...rest] = args
    const { prompt, options } = asRecord(query)
    return observeQuery(prompt, options, (observedPrompt) =>
      original.call(
        this,
        ...(observedPrompt === prompt ? args : [{ ...asRecord(query), prompt: observedPrompt }, ...rest]),
      ),
    )
  }
}

/**
 * Wraps `startup`, which starts a process before there is a prompt; the query of the returned object takes only the
 * prompt.
 */
function wrapStartup(original: Method): Method {
  return function (...args) {
    const { options } = asRecord(args[0])
    const starting = runVendorBound(context.active(), () => original.apply(this, args))
    // Only observed: the application's own `await` gets the error.
    if (isPromise(starting))
      starting.then(
        (warm) => attempt('follow a process', () => followWarm(warm, options)),
        () => {},
      )
    return starting
  }
}

function followWarm(warm: unknown, options: unknown): void {
  if (!isObject(warm) || !isMethod(warm.query)) return
  const { query } = warm
  const wrapped: Method = function (...args) {
    const [prompt, ...rest] = args
    return observeQuery(prompt, options, (observedPrompt) => query.call(this, observedPrompt, ...rest))
  }
  overrideMethod(warm, 'query', likeOriginal(wrapped, query))
}

/** @param start starts the query with the given prompt */
function observeQuery(prompt: unknown, options: unknown, start: (prompt: unknown) => unknown): unknown {
  const run = attempt('begin a span', () => new AgentQuery(asRecord(options)))
  if (!run) return start(prompt)
  const observedPrompt = run.recording ? (attempt('hear a prompt', () => observePrompt(prompt, run)) ?? prompt) : prompt
  try {
    // The environment of the process is created here.
    const query = runVendorBound(run.context, () => start(observedPrompt))
    if (run.recording && isObject(query)) attempt('follow a query', () => follow(query, run))
    return query
  } catch (error) {
    run.fail(error, false)
    throw error
  }
}

function observePrompt(prompt: unknown, run: AgentQuery): unknown {
  if (typeof prompt === 'string') run.addInput(prompt)
  else if (isObject(prompt) && isMethod(prompt[Symbol.asyncIterator as never])) {
    return observePromptStream(prompt, (message) => run.addInput(asRecord(message.message).content))
  }
  return prompt
}

/** Every way to read a query uses the same generator. */
function follow(query: Fields, run: AgentQuery): void {
  const open: unknown = Reflect.get(query, Symbol.asyncIterator)
  const generator: unknown = isMethod(open) ? open.call(query) : undefined
  if (!isObject(generator)) return
  const observer = new QueryObserver(run)
  // Referenced only by what the application reads from.
  endWhenCollected(observer, run)
  observeIterator(generator, observer)
  onCall(query, 'interrupt', () => run.interrupt())
  onCall(query, 'close', () => run.end('stopped early'))
}

function onCall(query: Fields, name: string, act: () => void): void {
  const original = query[name]
  if (!isMethod(original)) return
  overrideMethod(query, name, likeOriginal(callBefore(original, `hear of ${name}`, act), original))
}

class QueryObserver implements IteratorHandler {
  readonly #run: AgentQuery

  constructor(run: AgentQuery) {
    this.#run = run
  }

  value(result: unknown): void {
    const { done, value } = asRecord(result)
    if (done) this.#run.end()
    else this.#run.onMessage(asRecord(value))
  }

  error(reason: unknown): void {
    this.#run.fail(reason)
  }

  readerLeft(): void {
    this.#run.end('stopped early')
  }
}
