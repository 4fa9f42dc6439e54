import type { LocalService } from '@svc/local'

/** A span of a made-up application. Times are milliseconds from its beginning. */
export interface MadeSpan {
  readonly id: number
  readonly parent?: number
  readonly name: string
  readonly from: number
  readonly to: number
  readonly failed?: string
  /** The message of its `exception` event. */
  readonly exception?: string
  /** Where else it belongs. */
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly attributes?: Readonly<Record<string, string | number | boolean | readonly string[]>>
}

/** Sends spans as one trace. */
export async function send(
  local: Pick<LocalService, 'url' | 'publicKey' | 'secretKey'>,
  traceId: string,
  spans: readonly MadeSpan[],
  startedAt = Date.now(),
): Promise<void> {
  await sendAll(local, [{ traceId, spans, startedAt }])
}

interface MadeTrace {
  readonly traceId: string
  readonly spans: readonly MadeSpan[]
  readonly startedAt: number
}

export async function sendAll(
  { url, publicKey, secretKey }: Pick<LocalService, 'url' | 'publicKey' | 'secretKey'>,
  traces: readonly MadeTrace[],
): Promise<void> {
  const spans = traces.flatMap((trace) => trace.spans.map((span) => wire(span, trace)))
  const response = await fetch(`${url}/api/public/otel/v1/traces`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: 'svc-sdk' }, spans }] }] }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

function wire(span: MadeSpan, { traceId, startedAt }: MadeTrace) {
  const { id, parent, name, from, to, failed, exception, links = [], attributes = {} } = span
  const nanos = (ms: number) => `${Math.round((startedAt + ms) * 1_000)}000`
  return {
    traceId,
    spanId: spanId(id),
    ...(parent === undefined ? {} : { parentSpanId: spanId(parent) }),
    name,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(to),
    ...(failed === undefined ? {} : { status: { code: 2, message: failed } }),
    ...(exception === undefined ? {} : { events: [thrown(nanos(to), exception)] }),
    links,
    attributes: keyValues(attributes),
  }
}

const keyValues = (attributes: MadeSpan['attributes'] = {}) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

const thrown = (timeUnixNano: string, message: string) => ({
  name: 'exception',
  timeUnixNano,
  attributes: keyValues({ 'exception.message': message }),
})

export const spanId = (id: number): string => id.toString(16).padStart(16, '0')
export const traceIdOf = (id: number): string => id.toString(16).padStart(31, '0').padStart(32, 'c')

function anyValue(value: string | number | boolean | readonly string[]): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(anyValue) } }
}
