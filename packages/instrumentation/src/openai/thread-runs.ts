import type { ModelEndpoint } from '../stainless/endpoint.ts'
import { accumulateRun, readRun, readRunJob, readRunParameters, readRunRequest } from './assistants/runs.ts'

/**
 * Runs of assistants: `beta.threads.createAndRun`, `beta.threads.runs.create` and `submitToolOutputs`, whole, polled and
 * streamed. A call lasts until the run is over, or asks for tools.
 */
export const threadRuns: ModelEndpoint = {
  name: 'chat',
  isUnobserved: true,
  path: /\/threads(\/[^/]+)?\/runs(\/[^/]+\/submit_tool_outputs)?$/,
  statePath: /\/threads\/[^/]+\/runs\/[^/]+$/,
  readParameters: (body) => readRunParameters(body),
  readRequest: (body) => readRunRequest(body),
  readResponse: (run) => readRun(run),
  readJob: (run) => readRunJob(run),
  createAccumulator: () => accumulateRun(),
}
