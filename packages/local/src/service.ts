import type { Arrivals } from './arrivals.ts'
import type { BackgroundTask } from './background-task.ts'
import type { Keys } from './http/auth.ts'
import type { AccessConfig } from './http/dispatch.ts'
import type { Live } from './live.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import type { RequestLog } from './requests.ts'
import type { ReadStore } from './store/read-store.ts'
import type { Store } from './store/store.ts'

/** The parts for handlers that only read, on any thread. */
export interface ReadService {
  readonly keys: Keys
  readonly store: ReadStore
}

/** The parts for handlers that write, on any thread. */
export interface WriteService {
  readonly keys: Keys
  readonly store: Store
}

/** The parts for all handlers of the route table. */
export interface Service extends AccessConfig, WriteService {
  readonly keys: Keys
  readonly requests: RequestLog
  readonly arrivals: Arrivals
  /** Sends changes to open pages. */
  readonly live: Live
  /** Collects the words of new observations for the search. */
  readonly collecting: BackgroundTask
  readonly playground: PlaygroundOptions
  /** Milliseconds since 1970. */
  readonly startedAt: number
}
