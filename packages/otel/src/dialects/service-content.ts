import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import type { ReadableSpan } from '../sdk.ts'

/** Input and output of a call that another instrumentation recorded, in the form that the service reads completely. */
export interface ServiceContent {
  readonly input?: AttributeValue | undefined
  readonly output?: AttributeValue | undefined
  /** The attributes that it was read from. */
  readonly from: readonly string[]
}

/** Reads input and output of a span by its attributes and its scope; undefined where they stay as they are. */
export type ContentOf = (attributes: Attributes, scope: string) => ServiceContent | undefined

/**
 * Converts the content of third-party spans (the AI SDK, libraries and instrumentations that follow the GenAI
 * conventions) to the service's dialect. The service reads input and output from one source only. So if the application
 * has set one of them, the other is written beside it. Not to be called for a span that has both.
 */
export function withServiceContent(
  { attributes, instrumentationScope: scope }: ReadableSpan,
  contentOf: ContentOf,
): Attributes {
  const { [ATTRIBUTE.OBSERVATION_INPUT]: input, [ATTRIBUTE.OBSERVATION_OUTPUT]: output } = attributes
  const found = attempt('read what a span says', () => contentOf(attributes, scope.name))
  if (!found || (found.input === undefined && found.output === undefined)) {
    const beside = input === output ? undefined : otherHalf(attributes, input === undefined)
    return beside ? { ...attributes, ...beside } : attributes
  }
  const changed: Attributes = { ...attributes }
  for (const name of found.from) delete changed[name]
  if (found.input !== undefined) changed[ATTRIBUTE.OBSERVATION_INPUT] ??= found.input
  if (found.output !== undefined) changed[ATTRIBUTE.OBSERVATION_OUTPUT] ??= found.output
  return changed
}

/** Attributes of input and output that need no conversion, in the order in which the service reads them. */
const PLACES: readonly (readonly [input: string, output: string])[] = [
  ['ai.toolCall.args', 'ai.toolCall.result'],
  ['ai.prompt', 'ai.response.text'],
  ['ai.prompt', 'ai.response.object'],
  ['traceloop.entity.input', 'traceloop.entity.output'],
  ['input.value', 'output.value'],
  [GEN_AI.TOOL_CALL_ARGUMENTS, GEN_AI.TOOL_CALL_RESULT],
]

/** @param isInput whether the input is the half that is looked for */
function otherHalf(attributes: Attributes, isInput: boolean): Attributes | undefined {
  for (const [input, output] of PLACES) {
    const value = attributes[isInput ? input : output]
    if (value !== undefined) return { [isInput ? ATTRIBUTE.OBSERVATION_INPUT : ATTRIBUTE.OBSERVATION_OUTPUT]: value }
  }
  return undefined
}
