import { foreignText } from '@svc/core/foreign-text'
import { answered } from '../http/answered.ts'
import { API } from '../http/api-route.ts'
import { type Call, matchRoute, type Route } from '../http/router.ts'
import { QuestionError, type TraceReader } from '../questions/index.ts'
import type { ReadService } from '../service.ts'

/** Reads this service as its clients do, without a socket: by the routes that only read, on this thread. */
export function ownReader(
  reads: readonly Route<ReadService>[],
  service: ReadService,
  { headers, left }: Pick<Call, 'headers' | 'left'>,
): TraceReader {
  const get = async <Body>(path: string, request: object): Promise<Body> => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(request)) query.set(name, String(value))
    const call = { method: 'GET', path: `${API}${path}`, query, headers, left, body: noBody }
    const { status, body = '' } = await answered(`GET ${call.path}`, async () => {
      const match = matchRoute(reads, call.method, call.path)
      if (!match || 'allowed' in match) throw new Error('no route that reads')
      return match.route.handle({ ...call, params: match.params }, service)
    })
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    if (status !== 200) throw new QuestionError(`${call.path} answered ${status}: ${foreignText(text, 500)}`)
    return JSON.parse(text) as Body
  }
  return {
    observations: { getMany: (request) => get('/v2/observations', request) },
    metrics: { metrics: (request) => get('/v2/metrics', request) },
    prompts: { list: (request) => get('/v2/prompts', request) },
    datasets: { list: (request) => get('/v2/datasets', request) },
    datasetItems: { list: (request) => get('/dataset-items', request) },
  }
}

const noBody = async (): Promise<Buffer> => Buffer.alloc(0)
