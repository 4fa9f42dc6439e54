import { SpanStatusCode } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { defaultVariable } from '@svc/core/environment'
import { toBoundedJson } from '../calls/bounded-json.ts'
import { capturesContent } from '../calls/configure.ts'
import { parsedJson } from '../calls/parts.ts'
import { fieldsOf, numberOf } from '../calls/read.ts'
import { suppressCalls } from '../calls/suppress.ts'
import { observing as observingMethods } from '../methods/observed.ts'
import { patchLibrary } from '../places.ts'
import { METHODS } from './calls.ts'
import { type Corrections, SLOT, withCorrections } from './edit.ts'

/** What observes the calls of `@mistralai/mistralai`. */
export const observing = observingMethods('@svc/instrumentation-mistral', METHODS)

/**
 * Makes every client of `@mistralai/mistralai` record its chats (those of agents, too), its completions of code and its
 * embeddings as spans of the global tracer provider. Never throws.
 *
 * @param exports what `import * as mistral from '@mistralai/mistralai'` or `require('@mistralai/mistralai')` gave
 * @returns whether there was a class that was not instrumented yet
 */
export function instrumentMistral(exports: unknown): boolean {
  const classes = attempt('find the classes of @mistralai/mistralai', () => classesIn(exports))
  return patchLibrary('mistral', classes, () => observing)
}

/** The package exports a class that makes one of each. */
function classesIn(exports: unknown): object {
  const { Mistral } = fieldsOf(exports)
  if (typeof Mistral !== 'function') return {}
  const { agents, chat, fim, embeddings } = fieldsOf(Reflect.construct(Mistral, [{ apiKey: 'none' }]))
  return {
    Agents: fieldsOf(agents).constructor,
    Chat: fieldsOf(chat).constructor,
    Fim: fieldsOf(fim).constructor,
    Embeddings: fieldsOf(embeddings).constructor,
  }
}

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
 * Switches the spans on that `@mistralai/mistralai` makes itself from version 2.3 on, for the global tracer provider,
 * unless the user has said anything about them. Within a call that is recorded here they keep silent, so they tell of
 * all other operations: conversations, OCR. Any value but `global`, `dedicated` and `false` makes its calls throw.
 *
 * @param source of the module that makes them
 */
export function editMistral(source: string): string {
  defaultVariable('MISTRAL_SDK_TELEMETRY', 'global')
  slots[Symbol.for(SLOT)] ??= corrections
  return withCorrections(source)
}
