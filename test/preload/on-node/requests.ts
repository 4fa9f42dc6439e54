import { beforeAll, expect, it } from 'vitest'
import { nodeOf } from '../../support/nodes.ts'
import { startNode } from '../../support/run.ts'
import type { Service } from '../../support/service.ts'
import { app, cwd, PRELOAD } from '../apps.ts'

/** The question of a model call, from its recorded input. */
const questionOf = (span: { attributes: Readonly<Record<string, unknown>> }) =>
  String(span.attributes['svc.observation.input'])

const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: 'x'.repeat(100_000), headers }).then((response) => response.text())

/** The model calls of an HTTP request, on that Node. */
export function requestsOn(version: string, service: () => Service): void {
  let node: string
  beforeAll(() => {
    node = nodeOf(version)
  })

  async function serve(env: Readonly<Record<string, string>>) {
    const program = startNode([...PRELOAD, app('server.mjs')], { node, cwd, env: { ...service().env, ...env } })
    const [, port] = await program.printed(/listening on (\d+)/)
    return { program, url: `http://127.0.0.1:${port}` }
  }

  it('belong to one trace, and those of another request to another', async () => {
    const release = `requests ${version}`
    const { program, url } = await serve({ SVC_RELEASE: release })
    await Promise.all(['/a', '/b', '/c', '/d'].map((path) => post(url + path)))
    program.kill('SIGTERM')
    await program.ended
    const spans = service()
      .local.spans()
      .filter((span) => span.attributes['svc.release'] === release)
    expect(spans).toHaveLength(12)
    const traces = Map.groupBy(spans, (span) => span.traceId)
    expect(traces.size).toBe(4)
    for (const trace of traces.values()) {
      const [root, ...others] = trace.filter((span) => span.parentSpanId === null)
      expect(others).toEqual([])
      const calls = trace.filter((span) => span.parentSpanId === root?.spanId)
      expect(calls.map((span) => /(?:first|second) (\/\w)/.exec(questionOf(span))?.[1])).toEqual([
        root?.attributes['url.path'],
        root?.attributes['url.path'],
      ])
    }
  })

  it('continue the trace of a traceparent header of a trusted caller', async () => {
    const traceId = version.replaceAll('.', '').padEnd(32, 'a')
    const { program, url } = await serve({ SVC_TRUST_TRACEPARENT: 'loopback' })
    await post(`${url}/continued`, { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` })
    program.kill('SIGTERM')
    await program.ended
    const spans = service()
      .local.spans()
      .filter((span) => span.traceId === traceId)
    const root = spans.find((span) => span.parentSpanId === 'b'.repeat(16))
    expect(root?.name).toBe('POST /continued')
    expect(spans.filter((span) => span.parentSpanId === root?.spanId)).toHaveLength(2)
  })
}
