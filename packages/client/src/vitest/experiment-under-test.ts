import { SvcClient } from '../client.ts'
import { hostClock } from '../clock.ts'
import { ExperimentManager } from '../experiment/experiment-manager.ts'
import { keysMissing } from './pipeline.ts'

/** What runs the experiments of a test file. */
export interface ExperimentUnderTest {
  readonly experiment: Pick<ExperimentManager, 'begin'>
  /** The service to compare with; undefined where nothing is sent. */
  readonly earlier: SvcClient | undefined
  /** For data that is fetched. */
  service(): SvcClient
}

let shared: SvcClient | undefined

/** The client that was given, one for all experiments of the file, or, without keys, what sends nothing. */
export function experimentUnderTest(client: SvcClient | undefined): ExperimentUnderTest {
  const service = () => {
    shared ??= new SvcClient()
    return client ?? shared
  }
  if (!client && keysMissing().length > 0) return { experiment: sendingNothing(), earlier: undefined, service }
  return { experiment: service().experiment, earlier: service(), service }
}

function sendingNothing(): ExperimentManager {
  const unknown = () => Promise.reject(new Error('there are no keys'))
  return new ExperimentManager({
    score: { create: () => {}, flush: async () => {} },
    clock: hostClock,
    getProjectId: unknown,
    getTraceUrl: unknown,
    getExperimentUrl: unknown,
    // Nobody deletes an experiment that was not sent.
    api: undefined as never,
  })
}
