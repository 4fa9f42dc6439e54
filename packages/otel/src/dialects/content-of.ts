import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import { aiSdkContent } from './ai-sdk-content.ts'
import { foreignMessage } from './foreign-messages.ts'
import { genAiContent } from './gen-ai-content.ts'
import type { ContentOf, ServiceContent } from './service-content.ts'

/** Longer texts stay unchanged: parsing them would block the application. */
const LIMIT = 4_000_000

/** Reads what the AI SDK 5 and 6 record with their own tracer, and what follows the GenAI conventions. */
export const contentOf: ContentOf = (attributes, scope) =>
  scope === 'ai'
    ? aiSdkContent(attributes, LIMIT)
    : (genAiContent(attributes, LIMIT, foreignMessage) ?? hiddenContent(attributes) ?? mastraContent(attributes))

/** Only what follows the GenAI conventions: what the AI SDK 5 and 6 write, the service reads. */
export const conventionsOf: ContentOf = (attributes, scope) =>
  scope === 'ai' ? undefined : genAiContent(attributes, LIMIT)

/** Messages in an unknown form: the service looks at attributes such as `gen_ai.prompt.name`, and then at none of them. */
function hiddenContent(attributes: Attributes): ServiceContent | undefined {
  const { [GEN_AI.INPUT_MESSAGES]: input, [GEN_AI.OUTPUT_MESSAGES]: output } = attributes
  if (input === undefined && output === undefined) return undefined
  return Object.keys(attributes).some((name) => HIDING.test(name))
    ? { input, output, from: [GEN_AI.INPUT_MESSAGES, GEN_AI.OUTPUT_MESSAGES] }
    : undefined
}

const HIDING = /^gen_ai\.(prompt|completion)\b/

/** What Mastra's bridge records of agents, workflows and tools: `mastra.agent_run.input`. */
function mastraContent(attributes: Attributes): ServiceContent | undefined {
  const names = Object.keys(attributes).filter((name) => MASTRA.test(name))
  if (names.length === 0) return undefined
  const find = (half: string) => names.find((name) => name.endsWith(half))
  const [input, output] = [find('.input'), find('.output')]
  return { input: input && attributes[input], output: output && attributes[output], from: names }
}

const MASTRA = /^mastra\.\w+\.(input|output)$/
