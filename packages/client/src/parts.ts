import type { SvcApi } from './api/bind.ts'
import type { ClientClock } from './clock.ts'

/** Arguments of every manager. */
export interface ManagerParts {
  /** Its requests have the `timeout` of the client, those of `client.api` one minute. */
  readonly api: SvcApi
  readonly clock: ClientClock
  /** Returns the id of the project that the keys belong to. Fetched once. */
  getProjectId(): Promise<string>
  getTraceUrl(traceId: string): Promise<string>
  getExperimentUrl(experimentId: string): Promise<string>
}
