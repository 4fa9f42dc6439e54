import { type Answer, badRequest, json } from '../http/answer.ts'
import type { Call } from '../http/router.ts'
import { decoded } from '../json-text.ts'
import type { WriteService } from '../service.ts'
import { JSON_LIMITS } from './body.ts'

/** `DELETE /api/public/traces/{traceId}`. An unknown id is no error: afterwards the trace is gone either way. */
export function deleteTrace({ params }: Call, { store }: WriteService): Answer {
  store.deleteTraces([params.traceId ?? ''])
  return json(200, { message: 'Trace deleted successfully' })
}

/** `DELETE /api/public/traces` with `{traceIds: […]}`. */
export async function deleteTraces(call: Call, { store }: WriteService): Promise<Answer> {
  const body = decoded((await call.body(JSON_LIMITS)).toString('utf8'))
  const ids = typeof body === 'object' && body !== null && 'traceIds' in body ? body.traceIds : undefined
  const fit = Array.isArray(ids) && ids.length > 0 && ids.every((id): id is string => typeof id === 'string')
  if (!fit) throw badRequest([{ path: ['traceIds'], message: 'expected a list of at least one trace id' }])
  store.deleteTraces(ids)
  return json(200, { message: 'Traces deleted successfully' })
}
