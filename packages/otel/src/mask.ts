import type { Attributes, AttributeValue } from '@opentelemetry/api'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { fromMetadataText, toMetadataText, toText, valueAt } from '@svc/core/json'
import { log, messageOf } from '@svc/core/log'
import { withTracingSuppressed } from '@svc/core/suppress-tracing'
import { inTime } from '@svc/core/timers'
import { fieldOf, isContentOfEvent, isPropagatedMetadata } from './content.ts'
import type { Step } from './pipeline.ts'
import type { ReadableSpan } from './sdk.ts'
import { withAttributes, withoutRaw } from './span-view.ts'

/**
 * Rewrites one value before it leaves the process, at once or with a promise (which has 5 seconds). `data` is the
 * stored text of an input or output, or the decoded value of one metadata key (string, number, boolean, array,
 * object). Returning null or undefined removes the attribute. Spans it starts are not recorded. Contract 1.7.
 */
// biome-ignore lint/suspicious/noExplicitAny: masks written for v5, where data was always a string, keep compiling.
export type MaskFunction = (params: { data: any }) => unknown

/** Written in place of a value whose mask threw, rejected or took too long. */
const FULLY_MASKED = '<fully masked due to failed mask function>'
const LIMIT_MS = 5_000

type Masked = AttributeValue | undefined

/**
 * Masks everything that the service shows as input, output or observation metadata, in a view of the span. Synchronous
 * if the mask is. If the mask is not a function, every value is replaced, as for one that throws.
 */
export function masker(mask: MaskFunction, limitMs: number = LIMIT_MS): Step {
  const maskedIn = (attributes: Attributes, isContent: (key: string) => boolean) => {
    const keys = Object.keys(attributes).filter(isContent)
    if (keys.length === 0) return attributes
    const values = keys.map((key) => maskedValue(mask, key, attributes, limitMs))
    if (!values.some((value) => value instanceof Promise)) return withValues(attributes, keys, values as Masked[])
    return Promise.all(values).then((settled) => withValues(attributes, keys, settled))
  }
  return (given) => {
    const attributes = withoutRaw(given.attributes)
    const span = attributes === given.attributes ? given : withAttributes(given, attributes)
    // Without tracing: a mask that calls a model would otherwise be called for the span of that call, endlessly.
    const all = withTracingSuppressed(() => [
      maskedIn(span.attributes, (key) => fieldOf(key) !== undefined && !isPropagatedMetadata(key)),
      ...span.events.map(({ name, attributes = {} }) => maskedIn(attributes, (key) => isContentOfEvent(name, key))),
    ])
    return all.some((each) => each instanceof Promise)
      ? Promise.all(all).then((settled) => withMasked(span, settled))
      : withMasked(span, all as Attributes[])
  }
}

function maskedValue(
  mask: MaskFunction,
  key: string,
  attributes: Attributes,
  limitMs: number,
): Masked | Promise<Masked> {
  const form = key.startsWith(ATTRIBUTE.OBSERVATION_METADATA) ? METADATA : TEXT
  const failed = (error: unknown): Masked => {
    // The error message may contain the value (as a SyntaxError of JSON.parse does), and differ for every value.
    const kind = error instanceof Error ? error.name : typeof error
    log.once('warn', `mask failed for ${key}, so its value is replaced (${kind}; SVC_LOG_LEVEL=DEBUG shows the error).`)
    log.debug(`mask failed for ${key}: ${messageOf(error)}`)
    return form.write(FULLY_MASKED)
  }
  try {
    const result = mask({ data: form.read(ownCopy(attributes[key])) })
    return isThenable(result)
      ? inTime(Promise.resolve(result), limitMs).then(form.write).catch(failed)
      : form.write(result)
  } catch (error) {
    return failed(error)
  }
}

/** How a value is stored in its attribute: the argument of the mask, and how its result is written back. */
interface Form {
  read(stored: unknown): unknown
  write(value: unknown): Masked
}

const TEXT: Form = {
  read: (stored) => stored,
  write: (value) => (typeof value === 'number' || typeof value === 'boolean' ? value : toText(value)),
}

const METADATA: Form = {
  read: (stored) => (typeof stored === 'string' ? fromMetadataText(stored) : stored),
  write: toMetadataText,
}

// A mask may modify its argument in place; the span stays unchanged.
function ownCopy(stored: unknown): unknown {
  return typeof stored === 'object' ? structuredClone(stored) : stored
}

function withValues(attributes: Attributes, keys: readonly string[], values: readonly Masked[]): Attributes {
  const result: Attributes = {}
  const masked = new Map(keys.map((key, at) => [key, values[at]]))
  for (const key of Object.keys(attributes)) {
    const value = masked.has(key) ? masked.get(key) : (valueAt(attributes, key) as Masked)
    if (value !== undefined) result[key] = value
  }
  return result
}

/** @param all the attributes of the span, and those of its events */
function withMasked(span: ReadableSpan, [attributes = {}, ...ofEvents]: readonly Attributes[]): ReadableSpan {
  const isChanged = ofEvents.some((each, at) => each !== span.events[at]?.attributes && Object.keys(each).length > 0)
  if (!isChanged && attributes === span.attributes) return span
  const events = isChanged
    ? span.events.map((event, at) => ({ ...event, attributes: ofEvents[at] ?? {} }))
    : span.events
  return { ...withAttributes(span, attributes), events }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
