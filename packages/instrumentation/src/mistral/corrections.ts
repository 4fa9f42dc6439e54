import { ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { isDefault } from '@svc/core/environment'
import { getRuntime } from '@svc/core/registry'
import { toBoundedJson } from '../gen-ai/bounded-json.ts'
import { capturesContent, propagatesToVendors } from '../gen-ai/configure.ts'
import { parseJson } from '../gen-ai/parts.ts'
import { asNumber, asRecord } from '../gen-ai/read.ts'
import { suppressCalls } from '../record/suppress.ts'
import { getTracer } from '../record/tracer.ts'
import type { Corrections } from './edit.ts'

const CONTENT: ReadonlySet<string> = new Set([
  GEN_AI.SYSTEM_INSTRUCTIONS,
  GEN_AI.INPUT_MESSAGES,
  GEN_AI.OUTPUT_MESSAGES,
  GEN_AI.TOOL_DEFINITIONS,
  GEN_AI.TOOL_CALL_ARGUMENTS,
  GEN_AI.TOOL_CALL_RESULT,
])

/** The variable that enables the spans. */
export const ENABLED = 'MISTRAL_SDK_TELEMETRY'

/** Corrects the spans that `@mistralai/mistralai` creates itself, but not those of the application's own provider. */
export const corrections: Corrections = {
  provider(registered) {
    return isDefault(ENABLED) ? (registered ?? { getTracer }) : undefined
  },
  attributes: (recorded, span) => {
    if (isTheirs(span)) return recorded
    const entries = Object.entries(recorded).filter(([name]) => capturesContent() || !CONTENT.has(name))
    const bounded = entries.map(([name, value]) => {
      const isContent = CONTENT.has(name) && typeof value === 'string'
      return [name, isContent ? attempt('bound what Mistral recorded', () => toBoundedJson(parseJson(value))) : value]
    })
    return Object.fromEntries(bounded)
  },
  carried(context) {
    const span = trace.getSpan(context)
    return (span && isTheirs(span)) || propagatesToVendors() ? suppressCalls(context) : ROOT_CONTEXT
  },
  outgoing: suppressCalls,
  refused(span, response) {
    const status = asNumber(asRecord(response).status)
    if (status === undefined || status < 400 || isTheirs(span)) return
    span.setAttribute(GENERAL.HTTP_RESPONSE_STATUS_CODE, status).setAttribute(GENERAL.ERROR_TYPE, String(status))
    span.setStatus({ code: SpanStatusCode.ERROR, message: `status ${status}` })
  },
}

function isTheirs(span: Span): boolean {
  return getRuntime()?.isOurs?.(span) === false
}
