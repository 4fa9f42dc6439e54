import { parseExactly } from '../../exact-json.ts'
import { Refusal } from '../../http/answer.ts'
import { measured } from '../../json-text.ts'
import type { StoredOtlp } from '../../store/received.ts'
import { ShapeError } from './shape.ts'
import { splitJson, splitMessage } from './split.ts'
import { EXPORT_TRACE_REQUEST } from './trace-schema.ts'
import { decodeMessage, MAX_FIELDS, MAX_OBJECTS, WireError } from './wire.ts'

interface Encoding {
  /** Text that the content type contains. */
  readonly mediaType: string
  readonly decode: (body: Buffer) => unknown
  /** The requests of one span each, as they are kept. */
  readonly split: (body: Buffer) => readonly StoredOtlp[]
  /** The message of the 400 for bodies that cannot be decoded (contract 5.2). */
  readonly complaint: string
  /** An empty ExportTraceServiceResponse. */
  readonly emptyResponse: string
}

const ENCODINGS: readonly Encoding[] = [
  {
    mediaType: 'application/json',
    decode: decodeJson,
    split: (body) => splitJson(body.toString('utf8')),
    complaint: 'Failed to parse OTel JSON Trace',
    emptyResponse: '{}',
  },
  {
    mediaType: 'application/x-protobuf',
    decode: (body) => decodeMessage(body, EXPORT_TRACE_REQUEST),
    split: splitMessage,
    complaint: 'Failed to parse OTel Protobuf Trace',
    emptyResponse: '',
  },
]

/** The encoding that a `Content-Type` announces. @throws Refusal 400 for any other. */
export function encodingOf(contentType: string | undefined): Encoding {
  const encoding = ENCODINGS.find(({ mediaType }) => contentType?.toLowerCase().includes(mediaType))
  if (encoding) return encoding
  throw new Refusal(400, 'Invalid content type', `Content-Type ${contentType ?? '(none)'} is not JSON or protobuf.`)
}

/** Runs what reads a body, and turns its complaints into the contract's 400. */
export function reading<T>({ complaint }: Encoding, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const known = error instanceof WireError || error instanceof ShapeError || error instanceof SyntaxError
    throw known ? new Refusal(400, complaint, `${complaint}: ${error.message}`) : error
  }
}

// Counted before it is built.
function decodeJson(body: Buffer): unknown {
  const text = body.toString('utf8')
  const { depth, containers, values } = measured(text)
  if (containers > MAX_OBJECTS) throw new ShapeError(`more than ${MAX_OBJECTS} objects`)
  if (values > MAX_FIELDS) throw new ShapeError(`more than ${MAX_FIELDS} values`)
  if (depth > MAX_JSON_DEPTH) throw new ShapeError(`nested deeper than ${MAX_JSON_DEPTH} levels`)
  return parseExactly(text)
}

// A level of an attribute value has four of them; the value limit (values.ts) is reached first.
const MAX_JSON_DEPTH = 1_000
