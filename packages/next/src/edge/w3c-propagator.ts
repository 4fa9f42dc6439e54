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

/** Members of a `tracestate`, of which those on the right are the oldest. */
const STATE_MEMBERS = 32
/** Pairs of baggage that are read. Each span reads them, and each request that is sent writes them. */
const PAIRS = 180
/** Longest baggage that is written. */
const BAGGAGE_LENGTH = 8_192

/**
 * OpenTelemetry's propagators of W3C trace context and baggage, in a fraction of their bytes. Unlike them, it passes on
 * the members of a `tracestate` as they came, and reads headers of any length, which hosts limit. Never throws.
 */
export const w3cPropagator: TextMapPropagator = {
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
    return withBaggage(parent ? trace.setSpanContext(context, parent) : context, header('baggage').join())
  },

  fields: () => ['traceparent', 'tracestate', 'baggage'],
}

function parentIn(text: string | undefined, state: string): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = PARENT.exec(text ?? '') ?? []
  if (!traceId || !spanId || !flags || (version === '00' && more)) return undefined
  const traceFlags = Number.parseInt(flags, 16)
  return { traceId, spanId, traceFlags, isRemote: true, ...(state && { traceState: traceStateOf(state) }) }
}

function traceStateOf(text: string): TraceState {
  const all = text.split(',').map((member) => member.trim())
  const members = all.filter(isPrintable).slice(0, STATE_MEMBERS)
  const without = (key: string) => members.filter((member) => !member.startsWith(`${key}=`))
  return {
    get: (key) => members.find((member) => member.startsWith(`${key}=`))?.slice(key.length + 1),
    set: (key, value) => traceStateOf([`${key}=${value}`, ...without(key)].join()),
    unset: (key) => traceStateOf(without(key).join()),
    serialize: () => members.join(),
  }
}

/** `fetch` throws for anything else in a header. What was read need not come from an HTTP request, which has none of it. */
const isPrintable = (text: string) => /^[ -~]+$/.test(text)

function baggageHeader(baggage: Baggage | undefined): string {
  let header = ''
  for (const [key, { value, metadata }] of baggage?.getAllEntries() ?? []) {
    const rest = metadata === undefined ? '' : `;${metadata}`
    const pair = attempt('write headers', () => `${encodeURIComponent(key)}=${encodeURIComponent(value)}${rest}`)
    const longer = [header, pair ?? ''].filter(isPrintable).join()
    if (longer.length <= BAGGAGE_LENGTH) header = longer
  }
  return header
}

function withBaggage(context: Context, header: string): Context {
  const entries = header.split(',', PAIRS).flatMap(entriesIn)
  return entries.length > 0
    ? propagation.setBaggage(context, propagation.createBaggage(Object.fromEntries(entries)))
    : context
}

function entriesIn(pair: string): [key: string, entry: BaggageEntry][] {
  const [, name = '', content = '', metadata] = /^([^=;]+)=([^;]+)(?:;(.+))?/s.exec(pair) ?? []
  const [key, value] = [name.trim(), content.trim()]
  if (!key || !value) return []
  try {
    const more = metadata && { metadata: { toString: () => metadata } as BaggageEntryMetadata }
    return [[decodeURIComponent(key), { value: decodeURIComponent(value), ...more }]]
  } catch {
    return []
  }
}
