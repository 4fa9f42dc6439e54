import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, GEN_AI } from '@svc/core/attributes'
import { boundedText } from '@svc/core/bounded-json'
import { toBoundedJson } from '../gen-ai/bounded-json.ts'
import { capturesContent } from '../gen-ai/configure.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { usageDetails } from '../gen-ai/usage.ts'
import type { SpanFailure } from '../record/error.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { NO_COST } from '../record/write.ts'
import type { ObservedEndpoint } from '../stainless/client-config.ts'
import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { readOutput } from './observed-output.ts'
import { readUsageDetails } from './observed-usage.ts'
import { readReferences } from './parameters.ts'

/** Fields of a request that are recorded as model parameters. */
const PARAMETERS = [
  ...['frequency_penalty', 'logit_bias', 'logprobs', 'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n'],
  ...['presence_penalty', 'seed', 'stop', 'stream', 'temperature', 'top_p', 'user', 'top_logprobs', 'tool_choice'],
  ...['store', 'parallel_tool_calls', 'truncation', 'reasoning_effort', 'verbosity', 'dimensions', 'service_tier'],
]
/** Fields of a response that are recorded as model parameters, with the values used. They replace the request's. */
const SERVED = [
  ...['max_output_tokens', 'parallel_tool_calls', 'store', 'temperature', 'tool_choice', 'top_p', 'truncation', 'user'],
  'service_tier',
]
/** Fields of a response that are recorded as metadata. */
const METADATA = ['reasoning', 'incomplete_details', 'previous_response_id', 'metadata', 'status', 'error']
/** Fields of a response that are recorded as metadata if content is captured. */
const CONTENT = ['instructions', 'tools']

/**
 * Writes one call of a client that was passed to `observeOpenAI`, in the service's format (contract 4.3) instead of the
 * GenAI attributes. {@link request} is called first, then {@link response} or {@link failure}.
 */
export class ObservedCall implements ObservedEndpoint {
  readonly name: string
  readonly endpoint: ModelEndpoint
  /** The response that a content was read from: the service's format needs more of it than the content has. */
  readonly #responses = new WeakMap<ResponseContent, Fields>()
  #isStreamed = false
  /** The requested model, if the response names none. */
  #model: string | undefined
  #audioFormat: string | undefined
  #hasUsage = false

  constructor(operation: ModelEndpoint, name: string) {
    const read = (response: Fields) => this.#read(operation, response)
    this.name = name
    const createAccumulator = () => {
      this.#isStreamed = true
      return operation.createAccumulator(read)
    }
    this.endpoint = { ...operation, readResponse: read, createAccumulator }
  }

  request(body: Fields): Attributes {
    const { response_format, text } = body
    const format = response_format ?? asRecord(text).format
    const parameters = defined({ ...pick(body, PARAMETERS), response_format: asName(asRecord(format).type) })
    this.#model = asName(body.model)
    this.#audioFormat = asName(asRecord(body.audio).format)
    return defined({
      [ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS]: toParametersText(parameters),
      [ATTRIBUTE.OBSERVATION_INPUT]: capturesContent() ? boundedText(readInput(body)) : undefined,
      ...metadataAttributes({ response_format: format }, toMetadataText),
      ...readReferences(body),
    })
  }

  response(content: ResponseContent): Attributes {
    const response = this.#responses.get(content) ?? {}
    const { cost, citations, served } = content
    const usage = countsOf(response, content)
    this.#hasUsage = usage !== undefined
    const output = capturesContent() ? readOutput(response, this.#audioFormat, this.#isStreamed) : undefined
    return defined({
      [GEN_AI.RESPONSE_ID]: content.id,
      [GEN_AI.RESPONSE_FINISH_REASONS]: content.finishReasons?.length ? content.finishReasons.slice(0, 128) : undefined,
      [ATTRIBUTE.OBSERVATION_MODEL]: content.model ?? this.#model,
      [ATTRIBUTE.OBSERVATION_MODEL_PARAMETERS]: toParametersText({ ...pick(response, SERVED), ...served }),
      [ATTRIBUTE.OBSERVATION_OUTPUT]: boundedText(output),
      [ATTRIBUTE.OBSERVATION_USAGE_DETAILS]: usage && JSON.stringify(usage),
      [ATTRIBUTE.OBSERVATION_COST_DETAILS]: cost === undefined ? undefined : JSON.stringify({ total: cost }),
      ...metadataAttributes(readMetadata(response), toMetadataText),
      ...(capturesContent() && citations?.length ? metadataAttributes({ citations }, toMetadataText) : {}),
      ...(content.failure ? failureAttributes(content.failure.message, usage === undefined) : {}),
    })
  }

  failure(error: unknown, { message }: SpanFailure): Attributes {
    const failure = failureAttributes(error instanceof Error ? `${error.name}: ${message}` : message, !this.#hasUsage)
    return this.#model === undefined ? failure : { ...failure, [ATTRIBUTE.OBSERVATION_MODEL]: this.#model }
  }

  #read(operation: ModelEndpoint, response: Fields): ResponseContent {
    const content = operation.readResponse(response)
    this.#responses.set(content, response)
    return content
  }
}

/** OpenAI's models whose text the service prices by that name, and by no other. */
const PRICED_BY_TEXT = /^(openai\/)?gpt-4o-(audio|realtime)-preview/i

/** The counts in the form of contract 4.3, or as elsewhere where a server tells kinds that it names in its own way. */
function countsOf(response: Fields, { usage, model }: ResponseContent): Record<string, number> | undefined {
  const flat: Record<string, number> = readUsageDetails(response.usage) ?? {}
  const counts = usage ? usageDetails(usage, model) : undefined
  const kinds = Object.keys(counts ?? {})
  const { total = Infinity, ...parts } = flat
  // xAI, Qwen and LiteLLM tell text from images: the service has no price for text by that name.
  const tellsText =
    (Object.hasOwn(flat, 'input_text_tokens') || Object.hasOwn(flat, 'output_text_tokens')) &&
    !PRICED_BY_TEXT.test(model ?? '')
  // xAI and Qwen count what was cached of both as well.
  const isTwice = Object.values(parts).reduce((sum, count) => sum + count, 0) > total
  if (tellsText || isTwice || kinds.some((kind) => !Object.hasOwn(flat, kind))) return counts
  return Object.keys(flat).length > 0 ? flat : undefined
}

function failureAttributes(message: string, isFree: boolean): Attributes {
  return {
    [ATTRIBUTE.OBSERVATION_LEVEL]: 'ERROR',
    [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: message,
    ...(isFree ? NO_COST : {}),
  }
}

/** Fields of a chat request that are recorded as input along with its messages. */
const BESIDE_MESSAGES = ['function_call', 'functions', 'tools', 'tool_choice']

/** Returns what is recorded as input: for chat completions an object with the messages, for others the input itself. */
function readInput(body: Fields): unknown {
  const { messages, input, prompt } = body
  if (messages === undefined) return input || prompt
  const { tools, ...beside } = pick(body, BESIDE_MESSAGES)
  return { messages, ...beside, ...(Array.isArray(tools) ? { tools: tools.map(withToolName) } : {}) }
}

function readMetadata(response: Fields): Fields {
  const { tools, ...metadata } = pick(response, capturesContent() ? [...METADATA, ...CONTENT] : METADATA)
  return { ...metadata, ...(asArray(tools).length > 0 ? { tools: asArray(tools).map(withToolName) } : {}) }
}

/**
 * The service requires a name for each tool. The configuration of the provider's own tools may contain secrets and is
 * left out.
 */
function withToolName(tool: unknown): unknown {
  const { type, name, function: functionDefinition, custom } = asRecord(tool)
  if (isObject(functionDefinition) || asString(name)) return tool
  return defined({ type, name: asName(asRecord(custom).name) ?? asName(type), custom })
}

/** Returns those of the named fields that are neither undefined nor null. */
function pick(fields: Fields, names: readonly string[]): Fields {
  const entries = names.flatMap((name) =>
    (fields[name] ?? undefined) === undefined ? [] : [[name, fields[name]] as const],
  )
  return Object.fromEntries(entries)
}

function toParametersText(parameters: Fields): string | undefined {
  return Object.keys(parameters).length > 0 ? toBoundedJson(parameters) : undefined
}

function toMetadataText(value: unknown): string | undefined {
  return value ? toBoundedJson(value) : undefined
}
