import { attempt } from '@svc/core/attempt'
import { GENERAL } from '@svc/core/attributes'
import { redactKeys, shortened } from '@svc/core/foreign-text'
import { thrownText } from '@svc/core/log'
import { toBoundedJson } from '../gen-ai/bounded-json.ts'
import { asName, asRecord, isObject } from '../gen-ai/read.ts'
import { describeFailure, isCancellation, type SpanFailure } from '../record/error.ts'

/** How an error affects its run. */
export type ErrorKind = 'cancelled' | 'control flow' | 'failed'

/**
 * Classifies an error: LangChain has its own errors for an aborted signal, and LangGraph throws to interrupt and to
 * jump.
 */
export function classifyError(error: unknown): ErrorKind {
  const { name, message, is_bubble_up } = asRecord(error)
  if (is_bubble_up === true) return 'control flow'
  // All that LangChain reports if the abort reason is not an error, and in its older versions.
  const aborted =
    name === 'ModelAbortError' || (name === 'Error' && /^(Abort|Aborted|AbortError)$/.test(String(message)))
  return aborted || isCancellation(error) ? 'cancelled' : 'failed'
}

/**
 * Returns whether this is LangGraph's error for an aborted graph, whatever the reason; its nodes have the actual error.
 */
export function isAbortedGraph(error: unknown): boolean {
  const { name, message } = asRecord(error)
  return name === 'Error' && message === 'Abort'
}

const DETAILS_LIMIT = 2_000

/** Describes an error. Azure reports why it refused a request in a field beside the message. */
export function describeRunError(error: unknown): SpanFailure {
  const failure = withErrorName(describeFailure(error), error)
  const { error: details } = asRecord(error)
  const { code, innererror } = asRecord(details)
  if (!isObject(innererror) && code !== 'content_filter') return failure
  return withMessage(failure, `${failure.message}${HEADING}${beginning(toBoundedJson(details))}`)
}

/** Describes an error as it was thrown, `Error: no`, followed by the provider's details. */
export function describeThrown(error: unknown): SpanFailure {
  const failure = withErrorName(describeFailure(error), error)
  const { error: details } = asRecord(error)
  const thrown = thrownText(error) ?? failure.message
  const text = details === undefined ? undefined : attempt('read an error', () => JSON.stringify(details, null, 2))
  const below = text === undefined ? '' : `${HEADING}${beginning(text)}`
  return withMessage(failure, `${beginning(thrown)}${below}`)
}

const beginning = (text: string): string => shortened(redactKeys(text), DETAILS_LIMIT)

const HEADING = '\n\nError details:\n'

function withMessage(failure: SpanFailure, message: string): SpanFailure {
  return {
    ...failure,
    message,
    exception: { name: String(failure.attributes[GENERAL.ERROR_TYPE] ?? 'Error'), message },
  }
}

/** LangChain sets the `name` of errors that have no class of their own. */
function withErrorName(failure: SpanFailure, error: unknown): SpanFailure {
  const name = asName(asRecord(error).name)
  if (failure.attributes[GENERAL.ERROR_TYPE] !== 'Error' || !name) return failure
  const attributes = { ...failure.attributes, [GENERAL.ERROR_TYPE]: name }
  return { ...failure, attributes, exception: { name, message: failure.message } }
}
