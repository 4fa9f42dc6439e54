import { type Context, type Span, trace } from '@opentelemetry/api'
import { RAW_ANSWERS } from '@svc/core/attributes'
import { capturesContent, contentMaxBytes } from '../gen-ai/configure.ts'
import { answeringTracer } from '../record/answer-taker.ts'
import type { CallSpan } from '../record/call.ts'
import { getCall } from '../record/current.ts'
import { isSuppressed } from '../record/suppress.ts'
import type { WireExchange } from './exchange.ts'
import type { WireFollower } from './follower.ts'
import { ReceivedAnswer } from './received-answer.ts'

// What `SVC_RECORD=raw` asks for.

/** Those of each call or span: a library may ask again. */
const kept = new WeakMap<object, ReceivedAnswer[]>()

/**
 * Keeps the answer to a request below a recorded call, on its span.
 *
 * @returns what follows the request; undefined below what has no span of its own
 */
export function keepAnswer(active: Context, operation: string): WireFollower | undefined {
  if (!capturesContent()) return undefined
  const call = getCall(active)
  if (call) return call.recording ? ofCall(call, new ReceivedAnswer()) : undefined
  if (!isSuppressed(active, operation)) return undefined
  // Of a framework, whose span nobody here ends.
  const span = answeringTracer(active)?.startSpan('', {}, active) ?? trace.getSpan(active)
  if (!span?.isRecording()) return undefined
  const answer = new ReceivedAnswer()
  const answers = added(span, answer)
  answer.onEnd = () => write(span, answers)
  return answer
}

/** Keeps the answer to a request that is recorded itself. */
export function withAnswer(exchange: WireExchange): WireFollower {
  const answer = new ReceivedAnswer()
  exchange.onCall = (call) => {
    if (call.recording && capturesContent()) ofCall(call, answer)
  }
  return {
    sending: (socketOf) => exchange.sending(socketOf),
    send: (chunk, encoding) => exchange.send(chunk, encoding),
    responded(status, header) {
      answer.responded(status, header)
      exchange.responded(status, header)
      if (exchange.isOver) answer.end()
    },
    receive(chunk, encoding) {
      answer.receive(chunk, encoding)
      exchange.receive(chunk, encoding)
    },
    // With the second of each the span ends.
    done() {
      answer.done()
      exchange.done()
    },
    failed(cause) {
      answer.failed(cause)
      exchange.failed(cause)
    },
  }
}

function ofCall(call: CallSpan, answer: ReceivedAnswer): ReceivedAnswer {
  const answers = added(call, answer)
  call.beforeEnd = (span) => {
    for (const each of answers) each.end()
    write(span, answers)
  }
  return answer
}

function added(to: object, answer: ReceivedAnswer): readonly ReceivedAnswer[] {
  const answers = kept.get(to) ?? []
  kept.set(to, answers)
  answers.push(answer)
  return answers
}

/** All or none: which request an answer belongs to is known by their order. */
function write(span: Span, answers: readonly ReceivedAnswer[]): void {
  const texts = answers.flatMap(({ text = [] }) => text)
  const length = texts.reduce((total, text) => total + text.length, 0)
  if (texts.length === 0 || length > contentMaxBytes() || answers.some(({ isCut }) => isCut)) return
  span.setAttribute(RAW_ANSWERS, texts)
}
