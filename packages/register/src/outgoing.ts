import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { context, propagation, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { isOfSentry, withoutSentry } from './sentry-parent.ts'

/**
 * Adds the trace context, and baggage if the application uses `asBaggage`, to requests to the configured origins:
 * `fetch` and `node:http` publish each request on a diagnostics channel before its headers are sent. A request with
 * trace context is not changed.
 *
 * @param origins the services: scheme, host and port. Without any nothing is subscribed to
 * @param instrumented names of OpenTelemetry's instrumentations that are on: those of HTTP do the same by themselves
 */
export function propagateTo(origins: readonly string[], instrumented: readonly string[] = []): void {
  if (origins.length === 0) return
  const isOurs = (origin: unknown) => URL.canParse(String(origin)) && origins.includes(new URL(String(origin)).origin)
  const on = <Message>(channel: string, name: string, tell: (message: Message) => void) => {
    if (instrumented.includes(`@opentelemetry/instrumentation-${name}`)) return
    subscribe(channel, (message) => attempt('propagate a trace', () => tell(message as Message)))
  }
  on<{ readonly request: FetchRequest }>('undici:request:create', 'undici', ({ request }) => {
    if (!isOurs(request.origin) || namesTrace(request.headers)) return
    for (const [name, value] of headers()) request.addHeader(name, value)
  })
  on<{ readonly request: ClientRequest }>('http.client.request.created', 'http', ({ request }) => {
    const origin = `${request.protocol}//${request.getHeader('host')}`
    if (!isOurs(origin) || request.headersSent || request.hasHeader('traceparent')) return
    for (const [name, value] of headers()) request.setHeader(name, value)
  })
}

/** A request of undici, which `fetch` is. */
interface FetchRequest {
  readonly origin: unknown
  readonly headers: readonly unknown[] | string
  addHeader(name: string, value: string): void
}

function namesTrace(headers: FetchRequest['headers']): boolean {
  const names = typeof headers === 'string' ? headers.split('\r\n') : headers
  return names.some((name) => String(name).toLowerCase().startsWith('traceparent'))
}

function headers(): [name: string, value: string][] {
  const carrier: Record<string, string> = {}
  const active = context.active()
  const span = trace.getSpan(active)
  propagation.inject(span && isOfSentry(span) ? withoutSentry(active, span.spanContext()) : active, carrier)
  return Object.entries(carrier)
}
