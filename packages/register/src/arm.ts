import type { Instrumentation } from '@opentelemetry/instrumentation'
import { configure } from '@svc/instrumentation/configure'
import { instrument } from './instrument.ts'
import { followFunction } from './lambda/follow-function.ts'
import type { Plan } from './plan.ts'
import { listenToRequests, type RequestFollower } from './request-channels.ts'
import { followWebServers } from './web-servers.ts'

/**
 * Hooks libraries, and passes each request to the pipeline, and each invocation of a function.
 *
 * @returns the instrumentations of OpenTelemetry's catalogue that were loaded
 */
export function arm(plan: Plan, requests: () => RequestFollower | undefined): Instrumentation[] {
  if (plan.instrument) configure(plan.preload)
  const instrumentations = instrument(plan)
  listenToRequests(requests)
  followWebServers(requests)
  followFunction(plan, requests)
  return instrumentations
}
