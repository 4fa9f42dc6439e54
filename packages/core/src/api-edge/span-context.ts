import type * as api from '../api.ts'

const isId = (id: unknown, digits: number) =>
  typeof id === 'string' && id.length === digits && /^0*[1-9a-f][\da-f]*$/i.test(id)

export const isValidTraceId: typeof api.isValidTraceId = (id) => isId(id, 32)
export const isValidSpanId: typeof api.isValidSpanId = (id) => isId(id, 16)

export const isSpanContextValid: typeof api.isSpanContextValid = ({ traceId, spanId }) =>
  isValidTraceId(traceId) && isValidSpanId(spanId)

export const INVALID_SPAN_CONTEXT: typeof api.INVALID_SPAN_CONTEXT = {
  traceId: '00000000000000000000000000000000',
  spanId: '0000000000000000',
  traceFlags: 0,
}
