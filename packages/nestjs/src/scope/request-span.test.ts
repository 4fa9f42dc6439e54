import type { Span } from '@opentelemetry/api'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, it } from 'vitest'
import { RequestSpan } from './request-span.ts'

const tracer = new TracerProvider().getTracer('test')

it('what is written to a request is written to its root, as soon as that is there, and never to the span above', () => {
  const above = tracer.startSpan('above')
  const root = tracer.startSpan('root')
  const request: { span: Span | undefined; open(): Span | undefined } = { span: undefined, open: () => root }
  const span = new RequestSpan(above, request)
  write(span, 'early')
  expect(span.spanContext()).toBe(above.spanContext())
  request.span = root
  write(span, 'late')
  expect(span.spanContext()).toBe(root.spanContext())
  expect(above).toMatchObject({ name: 'above', attributes: {}, events: [], links: [], status: { code: 0 } })
  expect(root).toMatchObject({
    name: 'root',
    attributes: { one: 'late', all: 'late' },
    events: [{ name: 'late' }, { name: 'exception', attributes: { 'exception.message': 'late' } }],
    links: [{ attributes: { by: 'addLink' } }, { attributes: { by: 'addLinks' } }],
    status: { code: 2, message: 'late' },
  })
})

function write(span: Span, text: string): void {
  const link = { context: span.spanContext() }
  const returned = [
    span.setAttribute('one', text),
    span.setAttributes({ all: text }),
    span.addEvent(text),
    span.addLink({ ...link, attributes: { by: 'addLink' } }),
    span.addLinks([{ ...link, attributes: { by: 'addLinks' } }]),
    span.setStatus({ code: 2, message: text }),
  ]
  expect(new Set(returned)).toEqual(new Set([span]))
  span.recordException({ message: text })
}
