import { compress, compressNow, decompress } from './compress.ts'
import { encodeSpan } from './encode-span.ts'
import type { Encoding } from './encoding.ts'
import { OpenBatch } from './open-batch.ts'
import { readProtobuf } from './otlp/response.ts'
import { countSpans, splitRequest } from './otlp/split.ts'

/** OTLP as protobuf: what a server sends. */
export const PROTOBUF: Encoding = {
  contentType: 'application/x-protobuf',
  span: encodeSpan,
  batch: () => new OpenBatch(),
  halves: (request) => splitRequest(request).map((body) => ({ body, spans: countSpans(body) })),
  gzip: { compress, compressNow, decompress },
  readResponse: readProtobuf,
}
