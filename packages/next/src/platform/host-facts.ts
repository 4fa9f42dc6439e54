import type { Settings } from '@svc/core/setting'
import { lambdaFunction, nextRuntime, nodeEnv, vercel } from '@svc/core/settings'

/** The variables by which a host is known. */
export const HOST_FACTS = { lambdaFunction, nextRuntime, nodeEnv, vercel }

/** Returns whether the host may freeze or exit right after a request. */
export function freezes({ vercel, lambdaFunction, nextRuntime }: Settings<typeof HOST_FACTS>): boolean {
  return vercel !== undefined || lambdaFunction !== undefined || nextRuntime === 'edge'
}
