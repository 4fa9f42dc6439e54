import type { SvcApi } from './api/bind.ts'
import type { Clock } from './clock.ts'

/** What every manager is made of. */
export interface ManagerParts {
  /** Each request of it takes the client's `timeout` at most, where `client.api` itself gives it a minute. */
  readonly api: SvcApi
  readonly clock: Clock
  /** Id of the project that the keys belong to. Asked for once. */
  getProjectId(): Promise<string>
  getTraceUrl(traceId: string): Promise<string>
  getExperimentUrl(experimentId: string): Promise<string>
}
