import type { Span } from '@opentelemetry/api'
import type * as api from '../api.ts'
import * as context from './context.ts'

type TraceApi = typeof api.trace

const SPAN = Symbol.for('OpenTelemetry Context Key SPAN')

export const getSpan: TraceApi['getSpan'] = (within) => within.getValue(SPAN) as Span | undefined
export const setSpan: TraceApi['setSpan'] = (within, span) => within.setValue(SPAN, span)
export const deleteSpan: TraceApi['deleteSpan'] = (within) => within.deleteValue(SPAN)
export const getActiveSpan: TraceApi['getActiveSpan'] = () => getSpan(context.active())
export const getSpanContext: TraceApi['getSpanContext'] = (within) => getSpan(within)?.spanContext()

export const setSpanContext: TraceApi['setSpanContext'] = (within, spanContext) =>
  setSpan(within, wrapSpanContext(spanContext))

export const wrapSpanContext: TraceApi['wrapSpanContext'] = (spanContext) => {
  const self = () => span
  const span: Span = {
    spanContext: () => spanContext,
    isRecording: () => false,
    setAttribute: self,
    setAttributes: self,
    addEvent: self,
    addLink: self,
    addLinks: self,
    setStatus: self,
    updateName: self,
    recordException() {},
    end() {},
  }
  return span
}
