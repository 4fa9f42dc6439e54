import type { Attributes, Context } from '@opentelemetry/api'
import { ATTRIBUTE } from '@svc/core/attributes'
import { propagatedAttributes, withPropagatedAttributes } from '@svc/core/context'
import { warnOnce } from '@svc/core/log'
import { propagatedValues } from '@svc/tracing/adapters'
import { asArray, asName, asRecord } from '../gen-ai/read.ts'
import type { TraceValues } from './attribute-mapping.ts'
import type { LangChainRun } from './run.ts'

/**
 * Adds trace attributes to a context for all spans below: tags and values of the handler, tags of the call, and user
 * and session from its metadata, which take precedence. LangGraph's thread is the session of its runs, if there is no other.
 */
export function withTraceValues(
  context: Context,
  handlerValues: TraceValues = {},
  tags: unknown,
  metadata: unknown,
): Context {
  const { svcUserId, svcSessionId, thread_id } = asRecord(metadata)
  const propagated = propagatedAttributes(context)
  const thread = propagated[ATTRIBUTE.TRACE_SESSION_ID] === undefined ? asName(thread_id) : undefined
  const values = {
    ...handlerValues,
    userId: svcUserId ?? handlerValues.userId,
    sessionId: svcSessionId ?? handlerValues.sessionId ?? thread,
    tags: [...asArray(tags).filter(isApplicationTag), ...asArray(handlerValues.tags)],
  }
  const attributes = propagatedValues(values, reject, propagated)
  return Object.keys(attributes).length > 0 ? withPropagatedAttributes(context, attributes) : context
}

/** Excludes tags that LangChain sets for its own tools. */
function isApplicationTag(tag: unknown): boolean {
  return typeof tag !== 'string' || !/^(langsmith|seq|map|graph):/.test(tag)
}

function reject(what: string, reason: string): void {
  warnOnce(`LangChain: ${what} is not propagated: ${reason}.`)
}

/** Returns and clears the prompt that a run above was created with: it belongs to the first generation after it. */
export function takePrompt(above: LangChainRun | undefined): Attributes | undefined {
  let run = above
  while (run && !run.prompt) run = run.parent
  const prompt = run?.prompt
  if (run) run.prompt = undefined
  return prompt
}
