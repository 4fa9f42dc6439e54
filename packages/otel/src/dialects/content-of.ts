import type { Attributes } from '@opentelemetry/api'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import { aiSdkContent } from './ai-sdk-content.ts'
import { foreignMessage } from './foreign-messages.ts'
import { genAiContent, LIMIT } from './gen-ai-content.ts'
import type { ContentOf, ServiceContent } from './service-content.ts'

/** Reads what the AI SDK 5 and 6 record with their own tracer, and what follows the GenAI conventions. */
export const contentOf: ContentOf = (attributes, scope) =>
  scope === 'ai'
    ? aiSdkContent(attributes, LIMIT)
    : (genAiContent(attributes, foreignMessage) ??
      hiddenContent(attributes) ??
      (scope.startsWith('@mastra/') ? mastraContent(attributes) : undefined))

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
