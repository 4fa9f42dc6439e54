import { isFields, parsedJson } from './json.ts'

type Fields = Readonly<Record<string, unknown>>

/** A tool as the service reads it. */
export interface ChatTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description?: unknown; readonly parameters?: unknown }
}

/** More definitions than any model accepts. */
const LIMIT = 1_000

/**
 * Returns tool definitions of any provider in the format of the service. Tools that the provider executes are named by
 * their type; their configuration, which may contain secrets, is omitted. Entries without a name are skipped.
 */
export function toolDefinitions(tools: unknown): readonly ChatTool[] {
  const list = Array.isArray(tools)
    ? tools
    : typeof tools === 'object' && tools !== null
      ? Object.entries(tools).map(named)
      : []
  return list.slice(0, LIMIT).flatMap(definitionsOf)
}

/** Some libraries pass tools as an object by name. */
function named([name, tool]: readonly [string, unknown]): unknown {
  return isFields(tool) ? { name, ...tool } : undefined
}

function definitionsOf(given: unknown): readonly ChatTool[] {
  const tool = typeof given === 'string' ? parsedJson(given) : given
  if (!isFields(tool)) return []
  const { functionDeclarations, function_declarations = functionDeclarations, ...others } = tool
  const { toolSpec, systemTool } = others
  // Gemini: several in one object, beside its own.
  if (Array.isArray(function_declarations))
    return [...function_declarations.flatMap(definitionsOf), ...builtIns(others)]
  // OpenAI: `function`, `custom`; Bedrock: `toolSpec`, `systemTool`.
  const fields = [tool.function, tool.custom, toolSpec, systemTool].find(isFields) ?? tool
  const name = nameIn(fields.name) ?? (tool.type === 'function' ? undefined : nameIn(tool.type))
  return name === undefined ? builtIns(tool) : [definition(name, fields)]
}

function definition(name: string, fields: Fields): ChatTool {
  const { description } = fields
  const parameters = PARAMETERS.map((field) => fields[field]).find((schema) => isFields(schema))
  return {
    type: 'function',
    function: {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(parameters === undefined ? {} : { parameters: schemaIn(parameters as Fields) }),
    },
  }
}

/** Field names of providers and frameworks for the schema of the arguments. */
const PARAMETERS = [
  ...['parameters', 'input_schema', 'inputSchema', 'parametersJsonSchema', 'parameters_json_schema'],
  ...['parameterDefinitions', 'parameter_definitions'],
]

/** Bedrock and the AI SDK wrap the schema in one more object. */
function schemaIn(parameters: Fields): unknown {
  const { json, jsonSchema } = parameters
  return isFields(json) ? json : isFields(jsonSchema) ? jsonSchema : parameters
}

/** Gemini: `{googleSearch: {}, urlContext: {}}`. */
function builtIns(tool: Fields): readonly ChatTool[] {
  const names = Object.keys(tool)
  const areTools = names.every((name) => isFields(tool[name]) && !NO_TOOLS.has(name))
  return areTools ? names.map((name) => definition(name, {})) : []
}

/** Fields of a tool without a name, and entries in tool lists that are not tools. */
const NO_TOOLS: ReadonlySet<unknown> = new Set([
  ...['cachePoint', 'cache_point', 'function', 'custom', 'toolSpec', 'systemTool', 'outputSchema'],
  ...PARAMETERS,
])

function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
