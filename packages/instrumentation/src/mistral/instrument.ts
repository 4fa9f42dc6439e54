import { SpanStatusCode } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { defaultVariable } from '@svc/core/environment'
import { toBoundedJson } from '../calls/bounded-json.ts'
import { capturesContent } from '../calls/configure.ts'

import { parsedJson } from '../calls/parts.ts'
import { fieldsOf, numberOf } from '../calls/read.ts'
import { suppressCalls } from '../calls/suppress.ts'
import { type Corrections, SLOT, withCorrections } from './edit.ts'

const CONTENT: ReadonlySet<string> = new Set([
  GEN_AI.SYSTEM_INSTRUCTIONS,
  GEN_AI.INPUT_MESSAGES,
  GEN_AI.OUTPUT_MESSAGES,
  GEN_AI.TOOL_DEFINITIONS,
  GEN_AI.TOOL_CALL_ARGUMENTS,
  GEN_AI.TOOL_CALL_RESULT,
])

const corrections: Corrections = {
  attributes: (own) => {
    const entries = Object.entries(own).filter(([name]) => capturesContent() || !CONTENT.has(name))
    const bounded = entries.map(([name, value]) => {
      const isContent = CONTENT.has(name) && typeof value === 'string'
      return [name, isContent ? attempt('bound what Mistral recorded', () => toBoundedJson(parsedJson(value))) : value]
    })
    return Object.fromEntries(bounded)
  },
  outgoing: suppressCalls,
  refused(span, response) {
    const status = numberOf(fieldsOf(response).status)
    if (status === undefined || status < 400) return
    span.setAttribute(GENERAL.HTTP_RESPONSE_STATUS_CODE, status).setAttribute(GENERAL.ERROR_TYPE, String(status))
    span.setStatus({ code: SpanStatusCode.ERROR, message: `status ${status}` })
  },
}

const slots = globalThis as unknown as Record<symbol, Corrections | undefined>

/**
 * Switches the spans that `@mistralai/mistralai` makes itself on, for the global tracer provider, unless the user has
 * said anything about them. Any value but `global`, `dedicated` and `false` makes its calls throw.
 *
 * @param source of the module that makes them
 */
export function editMistral(source: string): string {
  defaultVariable('MISTRAL_SDK_TELEMETRY', 'global')
  slots[Symbol.for(SLOT)] ??= corrections
  return withCorrections(source)
}
