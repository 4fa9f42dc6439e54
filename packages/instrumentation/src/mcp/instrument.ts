import { context, createContextKey, trace } from '@opentelemetry/api'
import { MCP } from '@svc/core/attributes'
import { asName, asRecord, asString, type Fields, type Method } from '../gen-ai/read.ts'
import { beginJob } from '../jobs/job.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import {
  isRecordedRequest,
  nameOfRequest,
  readParameters,
  readResult,
  readToolResult,
  readUrlElicitation,
  requestAttributes,
  taskIn,
} from './methods.ts'
import { isRecordedTool } from './recorded-tool.ts'
import { createTaskAccumulator } from './task-stream.ts'
import { askForTask, TASKS } from './tasks.ts'

export const SCOPE = '@svc/instrumentation-mcp'

const TOOL_CALL = {
  operation: 'execute_tool',
  appliesTo: ([called]) => !isRecordedTool(readToolName(called)),
  // Version 2 takes no result schema, so its options are the second argument.
  describeRequest: (_, [called, second, third]) => describeCall(asRecord(called), third ?? second),
  readResponse: readToolResult,
  readError: readUrlElicitation,
  followResult(answer, call) {
    const task = taskIn(answer)
    return task !== undefined && beginJob(TASKS, asRecord(task), call)
  },
} satisfies Omit<MethodSpec, 'name'>

const METHODS: readonly MethodSpec[] = [
  { name: 'callTool', ...TOOL_CALL },
  {
    name: 'callToolStream',
    ...TOOL_CALL,
    isLazy: true,
    createAccumulator: () => createTaskAccumulator(readToolResult),
  },
]

/** Calls of tools past `callTool`. */
const TOOL_REQUEST: MethodSpec = {
  ...TOOL_CALL,
  name: 'request',
  appliesTo: (args) => {
    const { method, params } = readRequest(args)
    return method === 'tools/call' && !isPartOfCall() && !isRecordedTool(readToolName(params))
  },
  describeRequest: (_, args) => {
    const { params, options } = readRequest(args)
    return describeCall(params, options)
  },
}

const methods = wrapMethods(SCOPE, METHODS)

/**
 * Wraps the methods of `@modelcontextprotocol/sdk`, and of its successors, that send requests: tools, and through
 * `request` all others.
 */
export const wrappers = {
  ...methods,
  callTool: (original: Method) => methods.callTool?.(withMark(original)) ?? original,
  request: (original: Method): Method => {
    const other: Method = function (...args) {
      const { method, params } = readRequest(args)
      const send = () =>
        method === undefined || method === 'tools/call' || !isRecordedRequest(method, isInTrace())
          ? original.apply(this, args)
          : Reflect.apply(recordRequest(method, original), this, args)
      return method?.startsWith('tasks/') ? askForTask(method, params, send) : send()
    }
    return wrapTool(other)
  },
}

/**
 * Wraps how the SDK's extension for tasks (`@modelcontextprotocol/ext-tasks`) sends a request. From the revision of
 * 2026-07-28 on it goes past `request`, by what the application gives it.
 */
export function recordDispatch(original: Method): Method {
  return function (...args) {
    const { generation } = asRecord(asRecord(this).taskCapabilities)
    const { method = '' } = readRequest(args)
    if (generation !== 'v2' || !PAST_REQUEST.test(method)) return original.apply(this, args)
    let answer: unknown
    const send: Method = async () => {
      answer = await original.apply(this, args)
      const { kind, result, error } = asRecord(answer)
      if (kind === 'error') throw Object.assign(new Error(asString(asRecord(error).message)), error)
      return result
    }
    const settle = (error?: unknown) => answer ?? Promise.reject(error)
    return (wrappers.request(send).apply(this, args) as Promise<unknown>).then(() => answer, settle)
  }
}

const PAST_REQUEST = /^(?:tools\/call$|tasks\/)/

const CALLING = createContextKey('svc.mcp.tool-call')

/**
 * Marks what `callTool` does: its request is part of it, also where another instrumentation has a span in between.
 */
function withMark(original: Method): Method {
  return function (...args) {
    const calling = { hasSent: false }
    return context.with(context.active().setValue(CALLING, calling), () => original.apply(this, args))
  }
}

/** Returns whether the active `callTool` asks here, which it does once: what the tool does is another call. */
function isPartOfCall(): boolean {
  const calling = context.active().getValue(CALLING) as { hasSent: boolean } | undefined
  if (!calling || calling.hasSent) return false
  calling.hasSent = true
  return true
}

const { request: wrapTool = (original: Method) => original } = wrapMethods(SCOPE, [TOOL_REQUEST])

function recordRequest(method: string, original: Method): Method {
  const spec: MethodSpec = {
    name: 'request',
    describeRequest: (_, args) => {
      const { params, options } = readRequest(args)
      return {
        name: nameOfRequest(method, params),
        attributes: requestAttributes(method, params),
        readContent: () => ({ input: readParameters(method, params) }),
        signal: asRecord(options).signal ?? null,
      }
    },
    readResponse: (result) => readResult(method, result),
    readError: readUrlElicitation,
  }
  return wrapMethods(SCOPE, [spec]).request?.(original) ?? original
}

function isInTrace(): boolean {
  const active = trace.getActiveSpan()?.spanContext()
  return active !== undefined && trace.isSpanContextValid(active)
}

/** Version 2 takes no schema of the result, and `@ai-sdk/mcp` has all in one object. */
function readRequest([first, second, third]: readonly unknown[]) {
  const { request = first, options = third ?? second } = asRecord(first)
  const { method, params } = asRecord(request)
  return { method: asString(method), params: asRecord(params), options }
}

function describeCall(called: Fields, options: unknown): RequestInfo {
  return {
    tool: readToolName(called),
    attributes: { [MCP.METHOD_NAME]: 'tools/call' },
    readContent: () => ({ input: called.arguments ?? {} }),
    signal: asRecord(options).signal ?? null,
  }
}

function readToolName(called: unknown): string {
  return asName(asRecord(called).name) ?? 'unknown'
}
