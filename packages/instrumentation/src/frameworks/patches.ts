import { asArray, asName, asRecord, type Fields, isMethod, type Method } from '../gen-ai/read.ts'
import type { EditedSource } from '../hook/edit-source.ts'
import { patchMember, patchMethods } from '../patch/patch-methods.ts'
import { type Framework, recordRun, recordTool, recordTools } from './agent-run.ts'

const LLAMAINDEX: Framework = { name: 'llamaindex', nameOf: ({ rootAgentName }) => rootAgentName }
const PI: Framework = { name: 'pi', nameOf: () => undefined }
const AGENT_KIT: Framework = { name: 'agentkit', nameOf: ({ name }) => name }
const TANSTACK: Framework = {
  name: 'tanstack',
  nameOf: () => 'chat',
  inputOf: ({ messages }) => messages,
}

const BEEAI: Framework = { name: 'beeai', nameOf: ({ meta }) => asRecord(meta).name }

const nameOf = ({ name }: Fields) => asName(name) ?? 'tool'

/** `AgentWorkflow` of `@llamaindex/workflow`. */
export function patchLlamaIndex(exports: unknown): boolean {
  const { AgentWorkflow, stopAgentEvent } = asRecord(exports)
  const run = recordRun({
    ...LLAMAINDEX,
    whenOver: (stream, over) => isMethod(stream.on) && stream.on(stopAgentEvent, over),
  })
  const callTool = recordTool(([call]) => {
    const { toolName, toolId, toolKwargs } = asRecord(call)
    return { name: asName(toolName) ?? 'tool', id: asName(toolId), input: toolKwargs }
  })
  return patchMethods(AgentWorkflow, ['run', 'runStream', 'callTool'], { run, runStream: run, callTool })
}

/** `Agent` of `@mariozechner/pi-agent-core`, and of its successor. */
export function patchPi(exports: unknown): boolean {
  const run = recordRun(PI)
  const describe = (tool: Fields) => (args: readonly unknown[]) => ({
    name: nameOf(tool),
    id: asName(args[0]),
    input: args[1],
  })
  const createContextSnapshot = (original: Method): Method =>
    function (...args) {
      const snapshot = asRecord(original.apply(this, args))
      return { ...snapshot, tools: recordTools(snapshot.tools, 'execute', describe) }
    }
  const wrappers = { prompt: run, continue: run, createContextSnapshot }
  return patchMethods(asRecord(exports).Agent, Object.keys(wrappers), wrappers)
}

/** The methods of VoltAgent's `Agent` that call the AI SDK, with the place of their options among the arguments. */
const VOLTAGENT = { generateText: 1, streamText: 1, generateObject: 2, streamObject: 2 }

/** `Agent` of `@voltagent/core`: its calls of the AI SDK, which are recorded, get its name. */
export function patchVoltAgent(exports: unknown): boolean {
  const named =
    (place: number) =>
    (original: Method): Method =>
      function (...args) {
        const options = asRecord(args[place])
        const functionId = asName(asRecord(this).name)
        if (functionId !== undefined) {
          const experimental_telemetry = { functionId, ...asRecord(options.experimental_telemetry) }
          args[place] = { ...options, experimental_telemetry }
        }
        return original.apply(this, args)
      }
  const wrappers = Object.fromEntries(Object.entries(VOLTAGENT).map(([method, place]) => [method, named(place)]))
  return patchMethods(asRecord(exports).Agent, Object.keys(wrappers), wrappers)
}

/** `Agent` and `Network` of `@inngest/agent-kit`. */
export function patchAgentKit(exports: unknown): boolean {
  const { Agent, Network } = asRecord(exports)
  const run = recordRun(AGENT_KIT)
  const describe = (tool: Fields) => (args: readonly unknown[]) => ({ name: nameOf(tool), input: args[0] })
  const setTools = (original: Method): Method =>
    function (tools, ...rest) {
      return original.apply(this, [recordTools(tools, 'handler', describe), ...rest])
    }
  const patched = [patchMethods(Agent, ['run', 'setTools'], { run, setTools }), patchMethods(Network, ['run'], { run })]
  return patched.includes(true)
}

/** What BeeAI (`beeai-framework`) runs of an agent or a tool, it runs by `RunContext.enter(it, its arguments, work)`. */
export function patchBeeAi(exports: unknown): boolean {
  const enter = (original: Method): Method =>
    function (subject, options, work, ...rest) {
      const entered = isMethod(work) ? recordedWork(asRecord(subject), asRecord(options).params, work) : work
      return original.call(this, subject, options, entered, ...rest)
    }
  return patchMember(asRecord(exports).RunContext, 'enter', { enter })
}

function recordedWork(subject: Fields, params: unknown, work: Method): Method {
  const [input] = asArray(params)
  if (isMethod(subject.inputSchema)) return recordTool(() => ({ name: nameOf(subject), input }))(work)
  if (!('isRunning' in subject)) return work
  return recordRun({ ...BEEAI, inputOf: () => input })(work).bind(subject)
}

/** The loop of `chat` in `@tanstack/ai`, which {@link editTanStack} exports. */
export function patchTanStack(exports: unknown): boolean {
  const describe = (tool: Fields) => (args: readonly unknown[]) => ({
    name: nameOf(tool),
    id: asName(asRecord(args[1]).toolCallId),
    input: args[0],
  })
  const resolveExecutableTools = (original: Method): Method =>
    function (...args) {
      return recordTools(original.apply(this, args), 'execute', describe)
    }
  const wrappers = { run: recordRun(TANSTACK), resolveExecutableTools }
  return patchMethods(asRecord(exports).TextEngine, Object.keys(wrappers), wrappers)
}

export function editTanStack(source: string): EditedSource {
  const isKnown = /^(var|let|const|class) TextEngine\b/m.test(source)
  return isKnown ? { source: `${source}\nexport { TextEngine };`, missing: [] } : { source, missing: ['its agents'] }
}
