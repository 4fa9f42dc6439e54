import type { IncomingHttpHeaders } from 'node:http'
import { HEADER } from '@svc/core/attributes'
import { type Answer, Refusal } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import type { StoredOtlp } from '../../store/received.ts'
import { observationOf } from '../map/observation.ts'
import { encodingOf, reading } from './decode.ts'
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
    const otlp = encoding.split(body)
    store.save(
      spans.map((span, at) => ({ span: otlp[at] as StoredOtlp, observation: observationOf(span, sender, now) })),
      now,
    )
  }
  const traces = [...new Set(spans.map(({ traceId }) => traceId))]
  return { status: 200, headers: { 'content-type': encoding.mediaType }, body: encoding.emptyResponse, traces }
}

/** The metrics path exists so that exporters pointed at it stay quiet; nothing is kept. */
export async function takeMetrics(call: Call): Promise<Answer> {
  const { mediaType, emptyResponse } = encodingOf(call.headers['content-type'])
  await call.body()
  return { status: 200, headers: { 'content-type': mediaType }, body: emptyResponse }
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)

const LATEST = 4
// Some proxies and languages turn dashes into underscores.
const SPELLINGS = [HEADER.INGESTION_VERSION, HEADER.INGESTION_VERSION.replaceAll('-', '_')]

/** Checks `x-svc-ingestion-version` (contract 5.2). @throws Refusal 400 when it is no number or above 4. */
function checkIngestionVersion(headers: IncomingHttpHeaders): void {
  const header = SPELLINGS.map((name) => headers[name]).find((value) => value !== undefined)
  if (header === undefined) return
  const version = Number(String(header).trim() || Number.NaN)
  if (version <= LATEST) return
  throw new Refusal(
    400,
    `Invalid ${HEADER.INGESTION_VERSION}`,
    `${HEADER.INGESTION_VERSION}: ${JSON.stringify(header)} is not a number up to ${LATEST}.`,
  )
}
