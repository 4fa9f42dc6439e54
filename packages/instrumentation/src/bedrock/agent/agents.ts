import type { StreamSchema } from '../../gen-ai/accumulator.ts'
import type { Part, RequestContent, ResponseContent } from '../../gen-ai/content.ts'
import { each, last, object, text } from '../../gen-ai/merge.ts'
import { parseJson, textPart, toolCallPart, toolResponsePart, uriPart } from '../../gen-ai/parts.ts'
import { asArray, asName, asRecord, asString, type Fields } from '../../gen-ai/read.ts'
import { readIntervention, toMessage } from '../messages.ts'

/** Reads the input of an agent: a text with files, earlier messages, or results of functions that the application ran. */
export function readAgentRequest({ inputText, instruction, sessionState, inlineSessionState }: Fields): RequestContent {
  const state = asRecord(sessionState ?? inlineSessionState)
  const { returnControlInvocationResults, invocationId, files, conversationHistory, promptSessionAttributes } = state
  const results = asArray(returnControlInvocationResults).map((result) =>
    toToolResponse(invocationId, asRecord(result)),
  )
  const parts = [...asArray(files).map(toFilePart), ...(asString(inputText) ? [textPart(inputText)] : [])]
  return {
    ...(asString(instruction) ? { instructions: [textPart(instruction)] } : {}),
    // The agent's prompts name them.
    ...(promptSessionAttributes ? { metadata: { prompt_variables: promptSessionAttributes } } : {}),
    messages: [
      ...asArray(asRecord(conversationHistory).messages).map(toMessage),
      ...(results.length > 0 ? [{ role: 'tool', parts: results }] : []),
      ...(parts.length > 0 ? [{ role: 'user', parts }] : []),
    ],
  }
}

function toFilePart(file: unknown): Part {
  const { name, source } = asRecord(file)
  const { uri } = asRecord(asRecord(source).s3Location)
  return uri ? uriPart(undefined, uri) : { type: 'file', filename: name }
}

/** The events of a completion. The text is sent as bytes, which may be split within a character. */
export function createAgentStream(): StreamSchema {
  const decoder = new TextDecoder()
  return {
    toDelta({ chunk, returnControl, trace }) {
      const { bytes, attribution } = asRecord(chunk)
      const { action } = asRecord(asRecord(asRecord(trace).trace).guardrailTrace)
      return {
        text: bytes instanceof Uint8Array ? decoder.decode(bytes, { stream: true }) : undefined,
        citations: asRecord(attribution).citations,
        returnControl,
        guardrail: readIntervention(action),
      }
    },
    table: { text, citations: each, returnControl: object, guardrail: last },
    isComplete: ({ returnControl }) => returnControl !== undefined,
    readResponse: readCompletion,
  }
}

function readCompletion(whole: Fields): ResponseContent {
  const { invocationInputs, invocationId } = asRecord(whole.returnControl)
  const calls = asArray(invocationInputs).map((input) => toToolCall(invocationId, input))
  const parts = [...(whole.text === undefined ? [] : [textPart(whole.text)]), ...calls]
  const asksPerson = asArray(invocationInputs).some((input) =>
    CONFIRMATION.test(String(invocationOf(input).actionInvocationType)),
  )
  return {
    ...(asksPerson && { isInterrupted: true }),
    messages: parts.length > 0 ? [{ role: 'assistant', parts }] : [],
    citations: asArray(whole.citations).flat(),
    finishReasons: asArray(whole.guardrail).flatMap((reason) => asName(reason) ?? []),
  }
}

/** What an agent calls a function or a request that a person is to confirm first. */
const CONFIRMATION = /^USER_CONFIRMATION/

function invocationOf(input: unknown): Fields {
  const { functionInvocationInput, apiInvocationInput } = asRecord(input)
  return asRecord(functionInvocationInput ?? apiInvocationInput)
}

/** Converts what the agent asks the application to run: a function, or an API request. */
function toToolCall(id: unknown, input: unknown): Part {
  const call = invocationOf(input)
  const body = Object.values(asRecord(asRecord(call.requestBody).content))[0]
  const parameters = [...asArray(call.parameters), ...asArray(asRecord(body).properties)].map(asRecord)
  const values = Object.fromEntries(parameters.map(({ name, value }) => [asName(name) ?? '', value]))
  return toolCallPart(id, readFunctionName(call), values)
}

function toToolResponse(id: unknown, { functionResult, apiResult }: Fields): Part {
  const result = asRecord(functionResult ?? apiResult)
  const bodies = Object.values(asRecord(result.responseBody)).map((each) => parseJson(asRecord(each).body))
  // A person's answer comes without a result.
  const answer = bodies.length > 0 ? bodies : asArray(result.confirmationState)
  return toolResponsePart(id, answer.length === 1 ? answer[0] : answer, readFunctionName(result))
}

function readFunctionName(called: Fields): string | undefined {
  const { actionGroup, httpMethod, apiPath } = called
  if (called.function !== undefined) return asName(called.function)
  const request = [httpMethod, apiPath].flatMap((each) => asName(each) ?? []).join(' ')
  return request || asName(actionGroup)
}
