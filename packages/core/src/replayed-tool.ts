import * as SLOTS from './slots.ts'

/** What answers tools from a trace in a process of `svc replay --tools`; there is none in any other. */
export interface ToolReplay {
  /**
   * Returns what the trace has of the call of the active span; undefined if the tool is to be run.
   *
   * @param input where the span does not have it
   * @param name of the tool, where the active span is that around it
   * @throws {Error} what the tool failed with, or that the trace has no such call
   */
  find(input?: unknown, name?: string): { readonly output: unknown; readonly text: string } | undefined
  /** As `find`, with a result in the form of the Model Context Protocol. */
  findResult(input: unknown): { readonly output: object } | undefined
}

const SLOT = Symbol.for(SLOTS.REPLAY)
const slots = globalThis as unknown as Record<symbol, ToolReplay | undefined>

/** Calls a tool, unless a trace answers in its place. @param isAsync whether it returns a promise */
export function callTool(isAsync: boolean, work: () => unknown): unknown {
  const replay = slots[SLOT]
  if (!replay) return work()
  const called = () => {
    const found = replay.find()
    return found ? found.output : work()
  }
  return isAsync ? (async () => called())() : called()
}

export function answerTools(replay: ToolReplay): void {
  slots[SLOT] = replay
}
