import type { LocalService } from '../../src/index.ts'
import type { TraceReader } from '../../src/questions/reader.ts'
import { call } from './api.ts'

/** The reading endpoints of a service, over HTTP. */
export function readerOf(local: LocalService): TraceReader {
  const get = async (path: string, request: object) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(request)) query.set(name, String(value))
    const { status, body } = await call(local, `GET ${path}?${query}`)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    observations: { getMany: (request) => get('/v2/observations', request) },
    metrics: { metrics: (request) => get('/v2/metrics', request) },
    prompts: { list: (request) => get('/v2/prompts', request) },
    datasets: { list: (request) => get('/v2/datasets', request) },
    datasetItems: { list: (request) => get('/dataset-items', request) },
  }
}
