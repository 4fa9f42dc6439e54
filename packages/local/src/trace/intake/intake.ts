import { HEADER } from '@svc/core/attributes'
import type { Answer } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import { observationOf } from '../map/observation.ts'
import { encodingOf, reading } from './decode.ts'
import { checkIngestionVersion } from './ingestion-version.ts'
import { spansOf } from './spans.ts'

/** Checks a request before its body is read. @throws Refusal 400 */
export function checkTraces({ headers }: Call): void {
  checkIngestionVersion(headers)
  encodingOf(headers['content-type'])
}

/** `POST /api/public/otel/v1/traces` (contract 5.2): all spans of the batch are stored, or none. */
export async function takeTraces(call: Call, { store }: WriteService): Promise<Answer> {
  const encoding = encodingOf(call.headers['content-type'])
  const body = await call.body()
  const spans = reading(encoding, () => spansOf(encoding.decode(body)))
  const now = Date.now()
  const sender = { name: one(call.headers[HEADER.SDK_NAME]), version: one(call.headers[HEADER.SDK_VERSION]) }
  if (spans.length > 0) {
    store.save(
      spans.map((span) => ({ span, observation: observationOf(span, sender, now) })),
      now,
    )
  }
  const traces = [...new Set(spans.map(({ traceId }) => traceId))].slice(-ANNOUNCED)
  return { status: 200, headers: { 'content-type': encoding.mediaType }, body: encoding.emptyResponse, traces }
}

/** Traces of one batch that open pages hear of. */
const ANNOUNCED = 500

/** The metrics path exists so that exporters pointed at it stay quiet; nothing is kept. */
export async function takeMetrics(call: Call): Promise<Answer> {
  const { mediaType, emptyResponse } = encodingOf(call.headers['content-type'])
  await call.body()
  return { status: 200, headers: { 'content-type': mediaType }, body: emptyResponse }
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)
