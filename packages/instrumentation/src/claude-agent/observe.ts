import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { endWhenCollected } from '@svc/core/open-calls'
import { asRecord, type Fields, isMethod, isObject, isPromise, type Method } from '../gen-ai/read.ts'
import { type IteratorHandler, observeIterator } from '../patch/iterator-observer.ts'
import { overrideMethod } from '../patch/override-method.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { likeOriginal } from '../patch/replace-method.ts'
import { whileTellingVendor } from '../record/current.ts'
import { withinCalls } from './application-tools.ts'
import { heardPrompt } from './prompt.ts'
import { Run } from './run.ts'

/** What observes the queries of `@anthropic-ai/claude-agent-sdk`. */
export const observing: Wrappers = {
  query: observedQuery,
  startup: observedStartup,
  createSdkMcpServer: withinCalls,
}

function observedQuery(own: Method): Method {
  return function (...args) {
    const [asked, ...rest] = args
    const { prompt, options } = asRecord(asked)
    return observed(prompt, options, (heard) =>
      own.call(this, ...(heard === prompt ? args : [{ ...asRecord(asked), prompt: heard }, ...rest])),
    )
  }
}

/** A process is started before there is a question: the query it then has takes the prompt alone. */
function observedStartup(own: Method): Method {
  return function (...args) {
    const { options } = asRecord(args[0])
    const starting = whileTellingVendor(context.active(), () => own.apply(this, args))
    // Only looked at: whoever waits for it hears of an error.
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
  const asking: Method = function (...args) {
    const [prompt, ...rest] = args
    return observed(prompt, options, (heard) => query.call(this, heard, ...rest))
  }
  overrideMethod(warm, 'query', likeOriginal(asking, query))
}

/** @param begin begins the query, with the prompt it is given */
function observed(prompt: unknown, options: unknown, begin: (prompt: unknown) => unknown): unknown {
  const run = attempt('begin a span', () => new Run(asRecord(options)))
  if (!run) return begin(prompt)
  const heard = run.recording ? (attempt('hear a prompt', () => hearing(prompt, run)) ?? prompt) : prompt
  try {
    // The environment of the process is made here.
    const query = whileTellingVendor(run.context, () => begin(heard))
    if (run.recording && isObject(query)) attempt('follow a query', () => follow(query, run))
    return query
  } catch (error) {
    run.fail(error, false)
    throw error
  }
}

function hearing(prompt: unknown, run: Run): unknown {
  if (typeof prompt === 'string') run.ask(prompt)
  else if (isObject(prompt) && isMethod(prompt[Symbol.asyncIterator as never])) {
    return heardPrompt(prompt, (message) => run.ask(asRecord(message.message).content))
  }
  return prompt
}

/** All ways to read a query lead to one generator. */
function follow(query: Fields, run: Run): void {
  const open: unknown = Reflect.get(query, Symbol.asyncIterator)
  const generator: unknown = isMethod(open) ? open.call(query) : undefined
  if (!isObject(generator)) return
  const reading = new QueryReading(run)
  // Held by what the application reads from, and by nothing else.
  endWhenCollected(reading, run)
  observeIterator(generator, reading)
  when(query, 'interrupt', () => run.interrupt())
  when(query, 'close', () => run.end('stopped early'))
}

function when(query: Fields, name: string, act: () => void): void {
  const own = query[name]
  if (!isMethod(own)) return
  const told: Method = function (...args) {
    attempt(`hear of ${name}`, act)
    return own.apply(this, args)
  }
  overrideMethod(query, name, likeOriginal(told, own))
}

class QueryReading implements IteratorHandler {
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
  }

  value(result: unknown): void {
    const { done, value } = asRecord(result)
    if (done) this.#run.end()
    else this.#run.hear(asRecord(value))
  }

  error(reason: unknown): void {
    this.#run.fail(reason)
  }

  left(): void {
    this.#run.end('stopped early')
  }
}
