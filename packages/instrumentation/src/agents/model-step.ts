import { type Attributes, SpanKind } from '@opentelemetry/api'
import { GEN_AI } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { capturesContent } from '../gen-ai/configure.ts'
import type { RequestContent, ResponseContent } from '../gen-ai/content.ts'
import { type NumberTable, readNumbers } from '../gen-ai/parameters.ts'
import { asArray, asName, asRecord, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { chat } from '../openai/chat.ts'
import { itemToMessage } from '../openai/response-items.ts'
import { responses } from '../openai/responses.ts'
import { readOpenAiUsage } from '../openai/usage.ts'
import { requestContentAttributes, responseAttributes, withParameters } from '../record/write.ts'
import type { StepDescription } from './steps.ts'

const NUMBERS: NumberTable = [
  [GEN_AI.REQUEST_TEMPERATURE, ['temperature']],
  [GEN_AI.REQUEST_TOP_P, ['top_p']],
  [GEN_AI.REQUEST_MAX_TOKENS, ['max_tokens']],
  [GEN_AI.REQUEST_FREQUENCY_PENALTY, ['frequency_penalty']],
  [GEN_AI.REQUEST_PRESENCE_PENALTY, ['presence_penalty']],
]

/** Describes a model call whose client is not instrumented, as far as the library reports it. */
export function describeModelStep(data: Fields): StepDescription {
  const response = readResponse(data)
  const model = asName(data.model) ?? response.model
  const attributes = withParameters({
    [GEN_AI.OPERATION_NAME]: 'chat',
    ...defined({ [GEN_AI.REQUEST_MODEL]: model }),
    ...readNumbers(asRecord(data.model_config), NUMBERS),
    ...(capturesContent() ? requestContentAttributes(readRequest(data)) : {}),
    ...responseAttributes(response),
  })
  return { name: model === undefined ? 'chat' : `chat ${model}`, kind: SpanKind.CLIENT, attributes }
}

/**
 * Returns the messages of a model call. An agent and its workflow take the first input and the last output from them.
 */
export function readStepContent(data: Fields): StepContent {
  if (!capturesContent()) return { input: {}, output: {} }
  return {
    input: requestContentAttributes(onlyMessages(readRequest(data))),
    output: responseAttributes(onlyMessages(readResponse(data))),
  }
}

/** How many tools of the application, and approvals, a model call asks for. Its vendor may have run one already. */
export function countToolCalls({ output, _response }: Fields): number {
  const items = asArray(_response === undefined ? output : asRecord(_response).output).map(asRecord)
  const { tool_calls } = asRecord(asRecord(asArray(items[0]?.choices)[0]).message)
  const idOf = ({ call_id, callId = call_id }: Fields) => callId
  const answered = new Set(items.filter(({ type }) => /_output$/.test(String(type))).map(idOf))
  const open = items.filter((item) => CALLS.has(item.type) && !(idOf(item) && answered.has(idOf(item))))
  return asArray(tool_calls).length + open.length
}

const CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'mcp_approval_request',
  'shell_call',
  'apply_patch_call',
  'computer_call',
])

export interface StepContent {
  readonly input: Attributes
  readonly output: Attributes
}

function onlyMessages<T extends RequestContent | ResponseContent>({ messages }: T): Pick<T, 'messages'> {
  return defined({ messages })
}

/** Reads the input: a generation has chat messages, a response has items of the Responses API. */
function readRequest({ type, input, _input }: Fields): RequestContent {
  if (type === 'generation') return input === undefined ? {} : chat.readRequest({ messages: input })
  return _input === undefined ? {} : responses.readRequest({ input: asArray(_input).map(toResponseItem) })
}

function readResponse({ type, output, usage, _response, response_id }: Fields): ResponseContent {
  if (type === 'response') return { id: asName(response_id), ...responses.readResponse(asRecord(_response)) }
  const [first] = asArray(output)
  const firstOutput = asRecord(first)
  if (Array.isArray(firstOutput.choices)) return chat.readResponse(firstOutput)
  const parts = asArray(output).flatMap((item) => itemToMessage(toResponseItem(item)).parts)
  return { messages: parts.length > 0 ? [{ role: 'assistant', parts }] : [], usage: readOpenAiUsage(usage) }
}

/** Converts the library's items: it uses `callId` where the API uses `call_id`. */
function toResponseItem(item: unknown): unknown {
  if (!isObject(item)) return item
  const { callId, type, ...rest } = item
  return defined({ ...rest, type: own(TYPES, String(type)) ?? type, call_id: callId })
}

/** The library's names for item types of the API. */
const TYPES: Readonly<Record<string, string>> = {
  function_call_result: 'function_call_output',
  hosted_tool_call: 'mcp_call',
}
