import { type Span, trace } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { environmentOf } from '@svc/core/environment'
import type { Runtime } from '@svc/core/registry'
import { start } from '@svc/register/start'
import { BaseServerSpan, NodeSpan } from 'next/dist/server/lib/trace/constants.js'
import { getTracer } from 'next/dist/server/lib/trace/tracer.js'
import { afterEach, beforeEach, expect, it } from 'vitest'

const EXPORTER: SpanExporter = { export: (_, done) => done({ code: 0 }), async shutdown() {} }

let runtime: Runtime | undefined
beforeEach(() => {
  const variables = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:1' }
  runtime = start({ owner: 'test', exporter: EXPORTER }, environmentOf(variables))
})
afterEach(() => runtime?.shutdown())

/** Whether Next starts a span for a request, and one for the handler inside. */
function startedByNext(): boolean[] {
  return getTracer().trace(BaseServerSpan.handleRequest, (request) =>
    getTracer().trace(NodeSpan.runHandler, (handler) => [request !== undefined, handler !== undefined]),
  )
}

it('Next starts no span of its own below a muted one', () => {
  expect(startedByNext()).toEqual([true, false])
})

it('Next starts its spans below a recorded one', () => {
  const started = trace.getTracer('app').startActiveSpan('work', (span: Span) => {
    span.end()
    return startedByNext()
  })
  expect(started).toEqual([true, false])
})

it('Next starts all of its spans where they are sent', () => {
  runtime?.attach({ scopes: { 'next.js': 'keep' } })
  expect(startedByNext()).toEqual([true, true])
})

it('Next starts its spans below a muted one from the moment they are sent', () => {
  const inRequest = () => trace.getTracer('@opentelemetry/instrumentation-http').startActiveSpan('GET', startedByNext)
  expect(inRequest()).toEqual([false, false])
  runtime?.attach({ scopes: { 'next.js': 'keep' } })
  expect(inRequest()).toEqual([true, true])
})
