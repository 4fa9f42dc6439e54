import { SvcClient } from '../client.ts'
import { hostClock } from '../clock.ts'
import { ExperimentManager } from '../experiment/experiment-manager.ts'
import { keysMissing } from './pipeline.ts'

/** The client for the experiments of a test file. */
export interface ExperimentUnderTest {
  readonly experiment: Pick<ExperimentManager, 'start'>
  /** The client for reading earlier runs; undefined if nothing is sent. */
  readonly earlier: SvcClient | undefined
  /** Returns the client for `data` that is a function. */
  service(): SvcClient
}

let shared: SvcClient | undefined

/**
 * Returns the `client` option, else one client for all experiments of the file, or, without keys, one that sends
 * nothing.
 */
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
    // Only used to delete experiments.
    api: undefined as never,
  })
}
