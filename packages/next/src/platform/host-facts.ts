import type { Settings } from '@svc/core/setting'
import { lambdaFunction, nextRuntime, nodeEnv, vercel } from '@svc/core/settings'

/** What is read of the environment to know the host. */
export const HOST_FACTS = { lambdaFunction, nextRuntime, nodeEnv, vercel }

/** Whether the host may freeze or exit right after a request. */
export function freezes({ vercel, lambdaFunction, nextRuntime }: Settings<typeof HOST_FACTS>): boolean {
  return vercel !== undefined || lambdaFunction !== undefined || nextRuntime === 'edge'
}
