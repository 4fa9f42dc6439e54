import type {
  Baggage,
  BaggageEntry,
  BaggageEntryMetadata,
  Context,
  SpanContext,
  TextMapPropagator,
  TraceState,
} from '@opentelemetry/api'
import { isSpanContextValid, trace } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'
import { propagation } from '@svc/core/propagation'
import { isTracingSuppressed } from '@svc/core/suppress-tracing'

const PARENT = /^\s?(?!ff)([\da-f]{2})-((?!0{32})[\da-f]{32})-((?!0{16})[\da-f]{16})-([\da-f]{2})(-.*)?\s?$/

/** A member of `tracestate`: a key, or a tenant and a system, and a value without `,` and `=`. */
const MEMBER =
  /^([a-z][-\d_a-z*/]{0,255}|[a-z\d][-\d_a-z*/]{0,240}@[a-z][-\d_a-z*/]{0,13})=([ -+\--<>-~]{0,255}[!-+\--<>-~])$/
const STATE_MEMBERS = 32
const STATE_LENGTH = 512

const PAIRS = 180
const PAIR_LENGTH = 4_096
const BAGGAGE_LENGTH = 8_192

/**
 * OpenTelemetry's propagators of W3C trace context and baggage, with its limits, in a fraction of their bytes. Never
 * throws.
 *
 * @param withParent puts the span that a header names into a context
 */
export const w3cPropagator = (withParent: (context: Context, parent: SpanContext) => Context): TextMapPropagator => ({
  inject(context, carrier, setter) {
    if (isTracingSuppressed(context)) return
    const span = trace.getSpanContext(context)
    attempt('write headers', () => {
      if (!span || !isSpanContextValid(span)) return
      const { traceId, spanId, traceFlags, traceState } = span
      setter.set(carrier, 'traceparent', `00-${traceId}-${spanId}-0${Number(traceFlags).toString(16)}`)
      if (traceState) setter.set(carrier, 'tracestate', traceState.serialize())
    })
    attempt('write headers', () => {
      const header = baggageHeader(propagation.getBaggage(context))
      if (header !== '') setter.set(carrier, 'baggage', header)
    })
  },

  extract(context, carrier, getter) {
    const header = (name: string) => [attempt('read headers', () => getter.get(carrier, name)) ?? []].flat()
    const parent = parentIn(header('traceparent')[0], header('tracestate').join())
    return withBaggage(parent ? withParent(context, parent) : context, header('baggage'))
  },

  fields: () => ['traceparent', 'tracestate', 'baggage'],
})

function parentIn(text: string | undefined, state: string): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = PARENT.exec(text ?? '') ?? []
  if (!traceId || !spanId || !flags || (version === '00' && more)) return undefined
  const traceFlags = Number.parseInt(flags, 16)
  return { traceId, spanId, traceFlags, isRemote: true, ...(state && { traceState: traceStateOf(state) }) }
}

function traceStateOf(text: string): TraceState {
  const members = new Map<string, string>()
  let length = -1
  for (const part of text.split(',')) {
    const [member, key, value] = MEMBER.exec(part.trim()) ?? []
    if (!member || !key || !value || members.size >= STATE_MEMBERS) continue
    const total = length + member.length + 1
    if (total > STATE_LENGTH) continue
    members.set(key, value)
    length = total
  }
  const textWithout = (key?: string) =>
    [...members].flatMap(([other, value]) => (other === key ? [] : [`${other}=${value}`])).join()
  const state: TraceState = {
    get: (key) => members.get(key),
    set: (key, value) => (MEMBER.test(`${key}=${value}`) ? traceStateOf(`${key}=${value},${textWithout(key)}`) : state),
    unset: (key) => traceStateOf(textWithout(key)),
    serialize: () => textWithout(),
  }
  return state
}

function baggageHeader(baggage: Baggage | undefined): string {
  let header = ''
  let count = 0
  for (const [key, { value, metadata }] of baggage?.getAllEntries() ?? []) {
    const rest = metadata === undefined ? '' : `;${metadata}`
    const pair = attempt('write baggage', () => `${encodeURIComponent(key)}=${encodeURIComponent(value)}${rest}`)
    if (!pair || pair.length > PAIR_LENGTH || count++ >= PAIRS) continue
    const longer = header ? `${header},${pair}` : pair
    if (longer.length <= BAGGAGE_LENGTH) header = longer
  }
  return header
}

function withBaggage(context: Context, headers: readonly string[]): Context {
  const entries: [key: string, entry: BaggageEntry][] = []
  let length = -1
  for (const pair of headers.join().split(',')) {
    const entry = pair.length <= PAIR_LENGTH && entryIn(pair)
    if (!entry) continue
    length += pair.length + 1
    if (length > BAGGAGE_LENGTH || entries.push(entry) === PAIRS) break
  }
  return entries.length > 0
    ? propagation.setBaggage(context, propagation.createBaggage(Object.fromEntries(entries)))
    : context
}

function entryIn(pair: string): [key: string, entry: BaggageEntry] | undefined {
  const [, name = '', content = '', metadata] = /^([^=;]+)=([^;]+)(?:;(.+))?/s.exec(pair) ?? []
  const [key, value] = [name.trim(), content.trim()]
  if (!key || !value) return undefined
  try {
    const more = metadata && { metadata: { toString: () => metadata } as BaggageEntryMetadata }
    return [decodeURIComponent(key), { value: decodeURIComponent(value), ...more }]
  } catch {
    return undefined
  }
}
