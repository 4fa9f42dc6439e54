import type { Attributes } from '@opentelemetry/api'
import { ATTRIBUTE, MCP } from '@svc/core/attributes'
import { capturesContent } from '../gen-ai/configure.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { asArray, asName, asRecord, asString, defined, type Fields, isObject } from '../gen-ai/read.ts'
import { describeFailure } from '../record/error.ts'
import { metadataAttributes } from '../record/metadata.ts'
import { describeTaskFailure } from './task-stream.ts'

/** Requests that keep a connection going: they have no content, are not recorded, and carry no trace. */
const UPKEEP: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'logging/setLevel',
  'tasks/get',
  'resources/subscribe',
  'resources/unsubscribe',
  'subscriptions/listen',
])
/** Requests that are recorded also where they are no part of a trace. Others only list. */
const ALWAYS: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'sampling/createMessage',
  'elicitation/create',
])

/**
 * Whether a request of the protocol is recorded.
 *
 * @param isInTrace whether it is part of a trace
 */
export function isRecordedRequest(method: string, isInTrace: boolean): boolean {
  return !UPKEEP.has(method) && (isInTrace || ALWAYS.has(method))
}

/** Whether a message is a request, other than one that keeps the connection going. */
export function isWorkRequest(message: unknown): message is Fields & { method: string } {
  const { method, id } = asRecord(message)
  return typeof method === 'string' && id !== undefined && !UPKEEP.has(method)
}

/** The name of a span, as OpenTelemetry's conventions have it: only tools and prompts are few. */
export function nameOfRequest(method: string, params: Fields): string {
  const subject = method === 'tools/call' || method === 'prompts/get' ? asName(params.name) : undefined
  return subject === undefined ? method : `${method} ${subject}`
}

export function requestAttributes(method: string, params: Fields): Attributes {
  const uri = method === 'resources/read' ? asString(params.uri) : undefined
  return {
    [MCP.METHOD_NAME]: method,
    [ATTRIBUTE.OBSERVATION_TYPE]: 'span',
    ...(uri === undefined ? {} : { [MCP.RESOURCE_URI]: uri.slice(0, 1_000) }),
    ...(method.startsWith('tasks/') ? metadataAttributes({ task_id: asName(params.taskId) }) : {}),
  }
}

/** What is asked: the arguments of a tool or a prompt, else the parameters. */
export function readParameters(method: string, { _meta: _, ...params }: Fields): unknown {
  if (method === 'tools/call' || method === 'prompts/get') return params.arguments ?? {}
  return Object.keys(params).length > 0 ? withoutBytes(params) : undefined
}

export function readResult(method: string, result: Fields): ResponseContent {
  if (method === 'tools/call') return readToolResult(result)
  const { _meta: _, ...rest } = result
  return { result: withoutBytes(rest) }
}

/** Reads the result of a tool. One that failed reports it in its result, and the promise is fulfilled. */
export function readToolResult(answer: Fields): ResponseContent {
  const { content, structuredContent, toolResult, isError, inputRequests } = answer
  const task = taskIn(answer)
  if (task !== undefined) return { result: task, ...readTaskState(asRecord(task)) }
  // From the revision of 2026-07-28 on the client is asked so, and calls again with its answers.
  if (inputRequests !== undefined) return { result: withoutBytes(inputRequests), isInterrupted: true }
  const blocks = asArray(content).map((block) => withoutBytes(block))
  const result = structuredContent ?? toolResult ?? blocks
  if (isError !== true) return { result }
  const message = capturesContent() ? blocks.flatMap((part) => asString(asRecord(part).text) ?? []).join('\n') : ''
  return {
    result,
    failure: { type: 'tool_error', message: describeFailure(asName(message) || 'the tool failed').message },
  }
}

/** Returns what a person is to do at an address first, from the error that says so. The request is sent again then. */
export function readUrlElicitation(error: unknown): ResponseContent | undefined {
  const { code, data } = asRecord(error)
  const { elicitations } = asRecord(data)
  return code === URL_ELICITATION && Array.isArray(elicitations)
    ? { result: elicitations, isInterrupted: true }
    : undefined
}

const URL_ELICITATION = -32_042

/** The task that a tool answers with: from the revision of 2026-07-28 on it is the answer. */
export function taskIn({ task, ...answer }: Fields): unknown {
  return task ?? (answer.resultType === 'task' ? answer : undefined)
}

/** Reads the state of a tool's task: in the extension of the protocol it has the result, or the error. */
export function readTaskState({ taskId, status, statusMessage, result, error }: Fields): ResponseContent {
  const read = result === undefined ? {} : readToolResult(asRecord(result))
  const failure = status === 'failed' ? describeTaskFailure(error ?? statusMessage ?? 'the task failed') : read.failure
  return { ...read, failure, metadata: defined({ task_id: asName(taskId) }) }
}

/** Fields of results that hold blocks of content. */
const BLOCKS: ReadonlySet<string> = new Set(['content', 'contents', 'messages', 'resource'])

/** Removes base64 data of images, audio and files, which is not recorded. */
function withoutBytes(part: unknown, depth = 0): unknown {
  if (depth > 4) return undefined
  if (Array.isArray(part)) return part.map((each) => withoutBytes(each, depth + 1))
  if (!isObject(part)) return part
  const isBytes = (name: string) => name === 'blob' || (name === 'data' && 'mimeType' in part)
  const kept = Object.entries(part).filter(([name]) => !isBytes(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, BLOCKS.has(name) ? withoutBytes(value, depth + 1) : value]),
  )
}
