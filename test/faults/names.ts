/**
 * The names of the spans in an OTLP trace request. A reader of its own, which knows nothing of the encoder that it
 * checks, and fast enough for requests by the thousand. Field numbers: opentelemetry/proto/trace/v1/trace.proto.
 */
export function spanNamesIn(request: Buffer): string[] {
  return below(request, 1).flatMap((resource) =>
    below(resource, 2).flatMap((scope) => below(scope, 2).map((span) => String(below(span, 5)[0] ?? ''))),
  )
}

/** The contents of a length-delimited field, as often as it is there. */
function below(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++]
      if (byte === undefined) throw new RangeError('the request breaks off')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const wireType = tag & 7
    if (wireType === 0) {
      varint()
      continue
    }
    const length = wireType === 2 ? varint() : wireType === 1 ? 8 : 4
    if (at + length > message.length) throw new RangeError('the request breaks off')
    if (tag >> 3 === wanted) found.push(message.subarray(at, at + length))
    at += length
  }
  return found
}
