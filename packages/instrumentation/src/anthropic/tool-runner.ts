import { attempt } from '@svc/core/attempt'
import { overrideMethod } from '@svc/core/override-method'
import { asName, asRecord, type Fields, isMethod, isObject, type Method } from '../gen-ai/read.ts'
import { followLoop } from '../patch/follow-loop.ts'
import type { Wrappers } from '../patch/patch-methods.ts'
import { copyWith, ToolRun } from '../patch/tool-run.ts'
import { messages } from './messages.ts'
import { recordsItself } from './native.ts'

const SCOPE = '@svc/instrumentation-anthropic'

/** `client.beta.messages.toolRunner(body)`: a loop that starts when the application reads or awaits it. */
export const toolRunnerWrappers: Wrappers = {
  toolRunner: (original) =>
    function (body, ...rest) {
      if (!isObject(body) || recordsItself(asRecord(asRecord(this)._client)))
        return original.apply(this, [body, ...rest])
      const loop: RunnerLoop = { run: undefined }
      const tools = Array.isArray(body.tools) ? { tools: body.tools.map((tool) => wrapTool(tool, loop)) } : {}
      const runner = original.apply(this, [{ ...body, ...tools }, ...rest])
      attempt('follow a tool runner', () => wrapRunner(runner, body, loop))
      return runner
    },
}

/** The run that a runner's tools belong to, once it has started. */
interface RunnerLoop {
  run: ToolRun | undefined
}

function wrapRunner(runner: unknown, body: Fields, loop: RunnerLoop): void {
  const iterate = asRecord(runner)[Symbol.asyncIterator as never] as unknown
  if (!isObject(runner) || !isMethod(iterate)) return
  overrideMethod(runner, Symbol.asyncIterator, (...args) => {
    const iterator = iterate.apply(runner, args)
    const run = attempt('begin the span of a tool runner', () => startRun(body))
    if (!run?.recording) return iterator
    loop.run = run
    return followLoop(iterator, run)
  })
}

function startRun(body: Fields): ToolRun {
  return new ToolRun({
    scope: SCOPE,
    provider: 'anthropic',
    name: 'toolRunner',
    readContent: () => messages.readRequest(body),
  })
}

function wrapTool(tool: unknown, loop: RunnerLoop): unknown {
  const { run: original, name } = asRecord(tool)
  if (!isObject(tool) || !isMethod(original)) return tool
  const execute: Method = function (...args) {
    const { run } = loop
    const describeCall = ([input, more]: readonly unknown[]) => {
      const { toolUse, toolUseBlock = toolUse } = asRecord(more)
      return { name: asName(name) ?? 'tool', id: asName(asRecord(toolUseBlock).id), input }
    }
    return (run ? run.tool(original, describeCall) : original).apply(this, args)
  }
  return copyWith(tool, 'run', execute) ?? tool
}
