import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { asArray, asRecord } from '../gen-ai/read.ts'
import { splitThoughts } from '../gen-ai/thoughts.ts'
import { responseAttributes } from '../record/write.ts'

const TIMES = [GEN_AI.CLIENT_TIME_TO_FIRST_CHUNK, 'ai.response.msToFirstChunk']
const OUTPUTS = [ATTRIBUTE.OBSERVATION_OUTPUT, 'ai.response.text', 'ai.response.toolCalls', 'ai.response.object']

/** Returns the output among attributes; undefined if there is none. */
export function outputIn(attributes: Attributes): Attributes | undefined {
  const name = OUTPUTS.find((each) => attributes[each])
  return name === undefined ? undefined : { [name]: attributes[name] }
}

export const hasTiming = (attributes: Attributes) => TIMES.some((name) => attributes[name] !== undefined)
export const isSource = (part: unknown) => asRecord(part).type === 'source'

/** Returns the sources among the parts of an answer as attributes. */
export function sourcesIn(content: unknown): Attributes {
  return responseAttributes({ citations: asArray(content).filter(isSource) })
}

/** 5 and 6 record the reasoning of open models as a part of the text. */
export function withReasoning(attributes: Attributes): Attributes {
  const { 'ai.response.text': text } = attributes
  const found = typeof text === 'string' ? splitThoughts(text) : undefined
  if (!found) return attributes
  return { ...attributes, 'ai.response.text': found.answer, 'ai.response.reasoning': found.thoughts }
}
