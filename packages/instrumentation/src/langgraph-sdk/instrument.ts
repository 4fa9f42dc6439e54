import { GEN_AI } from '@svc/core/attributes'
import { asName, asRecord, defined, type Fields } from '../gen-ai/read.ts'
import { serverAttributes } from '../gen-ai/server.ts'
import type { MethodSpec, RequestInfo } from '../patch/method-spec.ts'
import { wrapMethods } from '../patch/wrap-method.ts'
import { isPaused, RunEvents, readFailure } from './run-events.ts'

const operation = 'invoke_agent'

const METHODS: readonly MethodSpec[] = [
  // The run continues in the background: its id is known, but no result.
  { name: 'create', operation, describeRequest: describeRun, readResponse: ({ run_id }) => ({ id: asName(run_id) }) },
  {
    name: 'wait',
    operation,
    describeRequest: describeRun,
    readResponse: (state) => ({
      result: state,
      failure: readFailure(state.__error__),
      ...(isPaused(state) && { isInterrupted: true }),
    }),
  },
  {
    name: 'stream',
    operation,
    describeRequest: describeRun,
    readResponse: () => ({}),
    createAccumulator: () => new RunEvents(),
    isLazy: true,
  },
]

/** Wraps the methods of `@langchain/langgraph-sdk` that start runs: each run is a remote agent. */
export const wrappers = wrapMethods('@svc/instrumentation-langgraph-sdk', METHODS)

function describeRun(client: Fields, [thread, assistant, payload]: readonly unknown[]): RequestInfo {
  const { input, command, signal } = asRecord(payload)
  const key = asRecord(client.defaultHeaders)['x-api-key']
  return {
    agent: asName(assistant),
    attributes: defined({
      ...serverAttributes(client, 'langgraph', client.apiUrl),
      [GEN_AI.CONVERSATION_ID]: asName(thread),
    }),
    // An interrupted run continues with a command instead of an input.
    readContent: () => ({ input: input ?? command }),
    signal: signal ?? null,
    secrets: () => (typeof key === 'string' ? [key] : []),
  }
}
