import { type Answer, notFound } from '../../http/answer.ts'
import type { Call } from '../../http/router.ts'
import type { ReadService } from '../../service.ts'
import { merged } from '../otlp.ts'
import { traceOf } from '../trace.ts'
import { marksOf } from './trace-list.ts'

/**
 * `GET /viewer/traces/{traceId}/export`: a trace as a file. Its `trace` is for readers; its `resourceSpans` are OTLP/JSON,
 * so that any intake of OTLP takes the file again.
 */
export function exportTrace({ params }: Call, { store }: ReadService): Answer {
  const traceId = params.traceId ?? ''
  const observations = store.trace(traceId)
  if (observations.length === 0) throw notFound(`No trace ${traceId}`)
  const file = {
    trace: { ...traceOf(traceId, observations), scores: marksOf(traceId, store) },
    resourceSpans: merged(store.spans({ sql: 'WHERE traceId = ? ORDER BY seq', values: [traceId] })),
  }
  const name = `trace-${traceId.replaceAll(/[^\w-]/g, '')}.json`
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: JSON.stringify(file, null, 1),
  }
}
