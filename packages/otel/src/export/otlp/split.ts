import type { Bytes } from '@svc/core/bytes'
import { fieldsOf } from './reader.ts'
import { ProtobufWriter } from './writer.ts'

/** Field numbers from `ExportTraceServiceRequest` down to a span: `resource_spans`, `scope_spans`, `spans`. */
const PATH: readonly number[] = [1, 2, 2]

/** Halves an OTLP request by its spans. The bytes of each span, its scope and its resource stay as they are. */
export function splitRequest(request: Uint8Array): [Bytes, Bytes] {
  const spans = countSpans(request)
  const middle = Math.ceil(spans / 2)
  return [part(request, 0, middle), part(request, middle, spans)]
}

/** @param depth how far down its path `message` lies: 0 for a request */
export function countSpans(message: Uint8Array, depth = 0): number {
  if (depth === PATH.length) return 1
  let spans = 0
  for (const { number, content } of fieldsOf(message)) {
    if (number === PATH[depth]) spans += countSpans(content, depth + 1)
  }
  return spans
}

function part(request: Uint8Array, from: number, to: number): Bytes {
  const writer = new ProtobufWriter(request.length)
  writePart(writer, request, 0, from, to)
  return writer.view().slice()
}

/** Writes the spans `from` to `to` of a message, and all its other fields. */
function writePart(writer: ProtobufWriter, message: Uint8Array, depth: number, from: number, to: number): void {
  let before = 0
  for (const { number, bytes, content } of fieldsOf(message)) {
    if (number !== PATH[depth]) {
      writer.raw(bytes)
      continue
    }
    const spans = countSpans(content, depth + 1)
    const [first, last] = [Math.max(0, from - before), Math.min(spans, to - before)]
    before += spans
    if (first >= last) continue
    if (last - first === spans) {
      writer.raw(bytes)
      continue
    }
    const start = writer.open(number)
    writePart(writer, content, depth + 1, first, last)
    writer.close(start)
  }
}
