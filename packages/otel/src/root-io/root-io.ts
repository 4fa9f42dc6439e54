import type { Attributes } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { boundedText } from '@svc/core/bounded-json'
import { type Half, isLeftEmpty } from '@svc/core/left-empty'
import { fieldOf } from '../content.ts'
import type { ReadableSpan } from '../sdk.ts'
import type { OpenRoot } from '../span-tree.ts'
import { type CallContent, callContent } from './call-content.ts'
import { answerIn, questionIn } from './messages.ts'

/** Characters that are kept for the open roots of this process, all together. */
const CAPACITY = 16_000_000

/** Finds the root of a span that ends now, while the root is open. */
export type FindRoot = (span: ReadableSpan) => OpenRoot | undefined

/** Input and output of the model calls below a root so far. */
class Exchange {
  question: string | undefined
  /** The call it is from, by order of start: the first one to start need not be the first to end. */
  askedBy = Number.POSITIVE_INFINITY
  /** The recorded text, unparsed: most responses are replaced by a later one and never read. */
  answer: string | undefined
  /** Whether that is the answer itself: see {@link CallContent}. */
  isAnswer = false
  /** Characters of both. */
  size = 0
}

/**
 * Gives a root that filled nothing itself the first question and the last answer of the model calls below it: the service
 * takes the input and output of a trace from its root. What is kept until then stays on the span of the root, and is
 * bounded: beyond 16 million characters the roots that have waited longest go without.
 */
export class RootIo {
  readonly #capacity: number
  /** On the span itself: a WeakMap of spans would cost every garbage collection. */
  readonly #key = Symbol('exchange')
  readonly #open = new Set<Exchange>()
  #size = 0

  constructor(capacity: number = CAPACITY) {
    this.#capacity = capacity
  }

  /**
   * A span has ended: input and output of a model call are kept for its root, and a root takes what was kept for it.
   *
   * @param findRoot undefined for a span that is dropped
   * @param whole the span with all that is sent of it
   * @returns what is to be shown of a root
   */
  end(span: ReadableSpan, findRoot: FindRoot | undefined, whole = span): Attributes | undefined {
    const content = findRoot && callContent(whole.attributes)
    const root = content && findRoot(span)
    if (root) this.#keep(root, content)
    const exchange: Exchange | undefined = Reflect.get(span, this.#key)
    return exchange && this.#shown(span, exchange, whole)
  }

  #keep({ span, order }: OpenRoot, { input, output, isAnswer }: CallContent): void {
    const exchange: Exchange = Reflect.get(span, this.#key) ?? new Exchange()
    Reflect.set(span, this.#key, exchange)
    this.#size -= exchange.size
    if (input !== undefined && order < exchange.askedBy) {
      exchange.askedBy = order
      exchange.question = boundedText(attempt('find a question', questionIn, input))
    }
    if (output !== undefined) {
      exchange.answer = output
      exchange.isAnswer = isAnswer
    }
    exchange.size = (exchange.question?.length ?? 0) + (exchange.answer?.length ?? 0)
    this.#open.add(exchange)
    this.#size += exchange.size
    if (this.#size > this.#capacity) this.#makeRoom()
  }

  #shown(span: ReadableSpan, exchange: Exchange, whole: ReadableSpan): Attributes {
    Reflect.set(span, this.#key, undefined)
    this.#open.delete(exchange)
    this.#size -= exchange.size
    const { question, answer, isAnswer } = exchange
    exchange.question = undefined
    exchange.answer = undefined
    const filled = halvesOf(whole)
    const shown: Attributes = {}
    if (question !== undefined && !filled.input) shown[ATTRIBUTE.OBSERVATION_INPUT] = question
    if (answer !== undefined && !filled.output) {
      const text = boundedText(isAnswer ? answer : attempt('find an answer', answerIn, answer))
      if (text !== undefined) shown[ATTRIBUTE.OBSERVATION_OUTPUT] = text
    }
    return shown
  }

  #makeRoom(): void {
    for (const oldest of this.#open) {
      if (this.#size <= this.#capacity) return
      this.#open.delete(oldest)
      this.#size -= oldest.size
      oldest.size = 0
      oldest.question = undefined
      oldest.answer = undefined
    }
  }
}

export const createRootIo = (): RootIo => new RootIo()

/**
 * The halves that a root has something for. Both where another word than the service's own filled something: with one half
 * in the service's words it would not look for the other one in those.
 */
function halvesOf(span: ReadableSpan): Readonly<Record<Half, boolean>> {
  const filled = { input: isLeftEmpty(span, 'input'), output: isLeftEmpty(span, 'output') }
  for (const key in span.attributes) {
    const field = fieldOf(key)
    if (field !== 'input' && field !== 'output') continue
    if (!OWN.has(key)) return { input: true, output: true }
    filled[field] = true
  }
  return filled
}

const OWN: ReadonlySet<string> = new Set([
  ATTRIBUTE.OBSERVATION_INPUT,
  ATTRIBUTE.OBSERVATION_OUTPUT,
  ATTRIBUTE.TRACE_INPUT,
  ATTRIBUTE.TRACE_OUTPUT,
])
