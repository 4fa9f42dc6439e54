import { GEN_AI } from '@svc/core/attributes'
import { decodedExactly } from '../../json-text.ts'
import type { ToolDefinition } from '../../store/observation.ts'
import type { Attributes, Value } from '../../store/received.ts'
import { arrayOf, isEmpty, isMap, mapOf, type ValueMap } from './read.ts'

const REQUEST_PARAMETERS = 'model_request_parameters'
const AI_SDK_TOOLS = 'ai.prompt.tools'
const OPEN_INFERENCE_TOOL = /^llm\.tools\.\d+\.tool\.json_schema$/

/** Attributes that hold definitions of tools, which the service moves into the input. */
export function isToolDefinition(key: string): boolean {
  return key === GEN_AI.TOOL_DEFINITIONS || key === AI_SDK_TOOLS || OPEN_INFERENCE_TOOL.test(key)
}

/**
 * The input with the definitions that the span has in its metadata and its other attributes.
 *
 * @param attributes what is kept among the metadata; nothing for spans of the service's own SDK
 */
export function withTools(
  input: Value | undefined,
  tools: Value | undefined,
  attributes: Attributes,
): Value | undefined {
  const found = [
    ...allNamed(arrayOf(tools)),
    ...allNamed(arrayOf(attributes[GEN_AI.TOOL_DEFINITIONS])),
    ...allNamed(arrayOf(mapOf(attributes[REQUEST_PARAMETERS])?.function_tools)),
    ...aiSdkTools(arrayOf(attributes[AI_SDK_TOOLS])),
    ...Object.keys(attributes)
      .filter((key) => OPEN_INFERENCE_TOOL.test(key))
      .flatMap((key) => mapOf(attributes[key]) ?? []),
  ]
  return found.length > 0 ? merged(input, found) : input
}

/** One without a name among them, and the service takes none of them. */
function allNamed(tools: readonly Value[] | undefined): Value[] {
  return tools?.every((tool) => nameOf(tool) !== undefined) ? [...tools] : []
}

/** Each of them may be JSON text, and need not have a name when it has a type. */
function aiSdkTools(tools: readonly Value[] | undefined): Value[] {
  const read = (tools ?? []).map((tool) => mapOf(tool) ?? null)
  return read.every((tool) => tool !== null && (nameOf(tool) !== undefined || tool.type !== undefined)) ? read : []
}

function merged(input: Value | undefined, tools: Value[]): Value | undefined {
  const value = typeof input === 'string' ? (decodedExactly(input) as Value) : input
  if (isEmpty(value)) return { tools }
  if (Array.isArray(value)) return { messages: value, tools }
  if (typeof value === 'string') return { prompt: value, tools }
  if (!isMap(value)) return input
  const own = Array.isArray(value.tools) ? value.tools : []
  const names = new Set(own.map(nameOf))
  return { ...value, tools: [...own, ...tools.filter((tool) => !names.has(nameOf(tool)))] }
}

/** The definitions that the service reads from an input: for filters, counts and evaluators. */
export function toolDefinitionsOf(input: unknown): ToolDefinition[] {
  const messages = Array.isArray(input) ? input : isMap(input) && Array.isArray(input.messages) ? input.messages : []
  const tools = [
    ...toolsOf(input),
    ...messages.flatMap(toolsOf),
    ...messages.flatMap((message) =>
      isMap(message) && message.role === 'tool' && isMap(message.content) && message.content.type === 'function'
        ? [message.content]
        : [],
    ),
  ]
  return tools.flatMap((tool) => definitionOf(tool) ?? [])
}

function toolsOf(owner: unknown): Value[] {
  return isMap(owner) && Array.isArray(owner.tools) ? owner.tools : []
}

function definitionOf(tool: Value): ToolDefinition | undefined {
  const name = nameOf(tool)
  if (name === undefined) return undefined
  const fields = functionOf(tool)
  const description = fields.description ?? fields.desc
  const parameters = fields.parameters ?? fields.parameters_json_schema ?? fields.inputSchema
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(parameters === undefined || parameters === null ? {} : { parameters }),
  }
}

function nameOf(tool: Value): string | undefined {
  const { name } = functionOf(tool)
  return typeof name === 'string' && name !== '' ? name : undefined
}

function functionOf(tool: Value): ValueMap {
  if (!isMap(tool)) return {}
  return isMap(tool.function) ? tool.function : tool
}
