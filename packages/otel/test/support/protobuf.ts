/** Reads the parts of an OTLP trace request that tests look at. Field numbers: opentelemetry/proto/trace/v1/trace.proto. */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly scope: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly resource: Readonly<Record<string, unknown>>
}

type Field = bigint | Uint8Array
type Message = Map<number, Field[]>

export function spansIn(body: Uint8Array): SentSpan[] {
  return messages(read(body), 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).map((message) => attributesOf(message, 1))[0] ?? {}
    return messages(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = messages(scopeSpans, 1).map((message) => text(message, 1))[0] ?? ''
      return messages(scopeSpans, 2).map((span) => ({
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentSpanId: hex(span, 4),
        name: text(span, 5),
        scope,
        attributes: attributesOf(span, 9),
        resource,
      }))
    })
  })
}

function attributesOf(message: Message, field: number): Record<string, unknown> {
  return Object.fromEntries(messages(message, field).map((pair) => [text(pair, 1), anyValue(messages(pair, 2)[0])]))
}

function anyValue(value: Message | undefined): unknown {
  if (!value) return undefined
  if (value.has(1)) return text(value, 1)
  if (value.has(2)) return varint(value, 2) === 1n
  if (value.has(3)) return Number(BigInt.asIntN(64, varint(value, 3)))
  if (value.has(4)) return new DataView(bytes(value, 4).slice().buffer).getFloat64(0, true)
  if (value.has(5)) return messages(value, 5).flatMap((list) => messages(list, 1).map(anyValue))
  if (value.has(6)) return Object.assign({}, ...messages(value, 6).map((map) => attributesOf(map, 1)))
  return undefined
}

const varint = (message: Message, field: number) => (message.get(field)?.[0] as bigint | undefined) ?? 0n
const messages = (message: Message, field: number) =>
  (message.get(field) ?? []).filter((value) => value instanceof Uint8Array).map(read)
const bytes = (message: Message, field: number) =>
  (message.get(field)?.[0] as Uint8Array | undefined) ?? new Uint8Array()
const text = (message: Message, field: number) => new TextDecoder().decode(bytes(message, field))
const hex = (message: Message, field: number) => Buffer.from(bytes(message, field)).toString('hex')

function read(body: Uint8Array): Message {
  const message: Message = new Map()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = body[at++]
      if (byte === undefined) throw new RangeError('truncated protobuf')
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const take = (length: number) => {
    at += length
    if (at > body.length) throw new RangeError('truncated protobuf')
    return body.subarray(at - length, at)
  }
  while (at < body.length) {
    const tag = Number(varint())
    const wire = tag & 7
    const field = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()))
    message.set(tag >> 3, [...(message.get(tag >> 3) ?? []), field])
  }
  return message
}
