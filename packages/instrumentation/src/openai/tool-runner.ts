import { attempt } from '@svc/core/attempt'
import { asName, asRecord, type Fields, isMethod, isObject } from '../gen-ai/read.ts'
import { followLoop } from '../patch/follow-loop.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { copyWith, ToolRun } from '../patch/tool-run.ts'
import { clientConfig } from '../stainless/client-config.ts'
import { followEvents } from '../stainless/helpers.ts'
import { chat } from './chat.ts'
import { responses } from './responses.ts'

const AGENT = { scope: '@svc/instrumentation-openai', provider: 'openai' }

/** `client.chat.completions.runTools(body)`: a loop that starts at once and emits events when it ends. */
export const runToolsWrappers: Wrappers = {
  runTools: (original) =>
    function (body, ...rest) {
      if (!isObject(body)) return original.apply(this, [body, ...rest])
      const run = attempt('begin the span of a tool runner', () => {
        return new ToolRun({
          ...AGENT,
          name: 'runTools',
          tracer: clientConfig()?.tracer,
          readContent: () => chat.readRequest(body),
        })
      })
      if (!run?.recording) return original.apply(this, [body, ...rest])
      const tools = Array.isArray(body.tools) ? { tools: body.tools.map((tool) => wrapTool(tool, run)) } : {}
      try {
        const runner = run.within(() => original.apply(this, [{ ...body, ...tools }, ...rest]))
        attempt('follow a tool runner', () => followEvents(runner, run))
        return runner
      } catch (error) {
        run.fail(error)
        throw error
      }
    },
}

/** Wraps a tool: a function with its definition, or one created from a schema. */
function wrapTool(tool: unknown, run: ToolRun): unknown {
  if (!isObject(tool)) return tool
  const { $callback: callback, function: definition } = tool
  const { function: original } = asRecord(definition)
  const name = asName(asRecord(definition).name) ?? (isMethod(original) ? original.name : undefined) ?? 'tool'
  const describeCall = ([input]: readonly unknown[]) => ({ name, input })
  if (isMethod(callback)) return copyWith(tool, '$callback', run.tool(callback, describeCall)) ?? tool
  if (!isMethod(original) || !isObject(definition)) return tool
  const executing = copyWith(definition, 'function', run.tool(original, describeCall))
  return (executing && copyWith(tool, 'function', executing)) ?? tool
}

/** `ResponsesToolRunner`, a helper of version 7: a loop over responses and the functions that it prepares. */
export const responsesRunnerWrappers: Wrappers = {
  iterate: (original) =>
    function (client, params, ...rest) {
      const run = attempt('begin the span of a tool runner', () => {
        return new ToolRun({
          ...AGENT,
          name: 'ResponsesToolRunner',
          tracer: clientConfig()?.tracer,
          readContent: () => responses.readRequest(asRecord(params)),
        })
      })
      const iterator = original.apply(this, [client, params, ...rest])
      if (!run?.recording) return iterator
      if (isObject(this)) RUNS.set(this, run)
      return followLoop(iterator, run)
    },
  prepareFunction: (original) =>
    function (item, turn, ...rest) {
      const { call_id: id, name, arguments: input } = asRecord(item)
      const { functions } = asRecord(turn)
      const isPrepared = functions instanceof Map && functions.has(id)
      const result = original.apply(this, [item, turn, ...rest])
      const run = isObject(this) ? RUNS.get(this) : undefined
      const execute: unknown = functions instanceof Map ? functions.get(id) : undefined
      if (!run || isPrepared || !isMethod(execute)) return result
      const describeCall = () => ({ name: asName(name) ?? 'tool', id: asName(id), input })
      ;(functions as Map<unknown, unknown>).set(id, run.tool(execute, describeCall))
      return result
    },
}

/** A runner has one loop at a time. */
const RUNS = new WeakMap<Fields, ToolRun>()
