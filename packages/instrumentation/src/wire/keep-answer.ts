import { type Context, trace } from '@opentelemetry/api'
import { RAW_ANSWERS } from '@svc/core/attributes'
import { capturesContent, contentMaxBytes } from '../gen-ai/configure.ts'
import { answerTaker } from '../record/answer-taker.ts'
import type { CallSpan } from '../record/call.ts'
import { getCall } from '../record/current.ts'
import { isSuppressed } from '../record/suppress.ts'
import type { WireExchange } from './exchange.ts'
import { both, type WireFollower } from './follower.ts'
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
  const taker = answerTaker(active)
  const span = trace.getSpan(active)
  if (!taker && !span?.isRecording()) return undefined
  const answer = new ReceivedAnswer()
  const answers = added(taker ?? span ?? answer, answer)
  answer.onEnd = () =>
    write((texts) => (taker ? taker.take(RAW_ANSWERS, texts, answer) : span?.setAttribute(RAW_ANSWERS, texts)), answers)
  taker?.follow?.(answer)
  return answer
}

/** Keeps the answer to a request that is recorded itself. */
export function withAnswer(exchange: WireExchange): WireFollower {
  const answer = new ReceivedAnswer()
  exchange.onCall = (call) => {
    if (call.recording && capturesContent()) ofCall(call, answer)
  }
  // With the second of them the span ends.
  const told = both(answer, exchange)
  return {
    ...told,
    responded(status, header) {
      told.responded(status, header)
      if (exchange.isOver) answer.end()
    },
  }
}

function ofCall(call: CallSpan, answer: ReceivedAnswer): ReceivedAnswer {
  const answers = added(call, answer)
  call.beforeEnd = (span) => {
    for (const each of answers) each.end()
    write((texts) => span.setAttribute(RAW_ANSWERS, texts), answers)
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
function write(tell: (texts: string[]) => void, answers: readonly ReceivedAnswer[]): void {
  const texts = answers.flatMap(({ text = [] }) => text)
  const length = texts.reduce((total, text) => total + text.length, 0)
  if (texts.length === 0 || length > contentMaxBytes() || answers.some(({ isCut }) => isCut)) return
  tell(texts)
}
