import { context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { type Fields, isMethod, isObject, isPromise, type Method } from '../gen-ai/read.ts'
import { followLoop } from '../patch/follow-loop.ts'
import { tapPromise } from '../patch/tap-promise.ts'
import { copyWith, type ToolCallInfo, ToolRun } from '../patch/tool-run.ts'
import { toolLoopKey } from '../record/run-key.ts'

/** What is known of a framework whose agents create no spans. */
export interface Framework {
  readonly name: string
  /** Returns the name of an agent. */
  nameOf(agent: Fields): unknown
  /** Returns what an agent is asked. Default: the first argument. */
  inputOf?(agent: Fields): unknown
  /** Follows a result that is neither a promise nor a generator until the run is over. */
  readonly whenOver?: (result: Fields, over: () => void) => void
}

/** One run of an agent. */
class AgentRun extends ToolRun {
  readonly agent: unknown

  constructor({ name, nameOf, inputOf }: Framework, agent: Fields, argument: unknown) {
    super({
      scope: `@svc/instrumentation-${name}`,
      provider: name,
      name: String(nameOf(agent) ?? name),
      readContent: () => ({ input: inputOf ? inputOf(agent) : argument }),
    })
    this.agent = agent
  }
}

function currentRun(): AgentRun | undefined {
  const run = context.active().getValue(toolLoopKey)
  return run instanceof AgentRun ? run : undefined
}

/** Records a method as the run of an agent. A method of it that is called during the run is part of it. */
export function recordRun(framework: Framework): (original: Method) => Method {
  return (original) =>
    function (...args) {
      const isPart = currentRun()?.agent === this || !isObject(this)
      const run = isPart ? undefined : attempt('begin a run', () => new AgentRun(framework, this as Fields, args[0]))
      if (!run?.recording) return original.apply(this, args)
      try {
        const result = run.within(() => original.apply(this, args))
        if (isPromise(result)) return tapPromise(result, { value: () => run.end(), error: (e) => run.fail(e) })
        if (isObject(result) && isMethod(result.next)) return followLoop(result, run)
        if (isObject(result)) attempt('follow a run', () => framework.whenOver?.(result, () => run.end()))
        return result
      } catch (error) {
        run.fail(error)
        throw error
      }
    }
}

type DescribeCall = (args: readonly unknown[]) => ToolCallInfo

/** Records a method as the call of a tool within a run. */
export function recordTool(describeCall: DescribeCall): (original: Method) => Method {
  return (original) =>
    function (...args) {
      const run = attempt('look for the run of a tool', currentRun)
      return (run ? run.tool(original, describeCall) : original).apply(this, args)
    }
}

/** Returns the tools of a list, each with its method `name` recorded. One that is no plain object is left alone. */
export function recordTools(tools: unknown, name: string, describe: (tool: Fields) => DescribeCall): unknown {
  if (!Array.isArray(tools)) return tools
  return tools.map((tool: unknown) => {
    const execute = isObject(tool) ? tool[name] : undefined
    if (!isObject(tool) || !isMethod(execute)) return tool
    return copyWith(tool, name, recordTool(describe(tool))(execute)) ?? tool
  })
}
