import { fileURLToPath } from 'node:url'
import { PRELOAD } from '../../preload/apps.ts'
import { type Ended, type Program, startNode } from '../../support/run.ts'
import { type Service, startService } from '../../support/service.ts'

const cwd = fileURLToPath(new URL('.', import.meta.url))

/** The programs of this folder, with a service and a model to talk to. */
export interface Hostile {
  readonly service: Service
  /** Starts one under the preload, or, with `preload` empty, as without us. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>, preload?: readonly string[]): Program
  /** Runs one as without us, and under the preload. */
  both(...args: readonly string[]): Promise<readonly [bare: Ended, seen: Ended]>
  close(): Promise<void>
}

export async function startHostile(): Promise<Hostile> {
  const service = await startService()
  const quiet = {
    ...service.env,
    MODEL_URL: service.models.url,
    SVC_LOG_LEVEL: 'ERROR',
    NO_COLOR: '1',
  }
  const start: Hostile['start'] = (args, env = {}, preload = PRELOAD) =>
    startNode([...preload, '--no-deprecation', ...args], { cwd, env: { ...quiet, ...env } })
  return {
    service,
    start,
    both: (...args) => Promise.all([start(args, {}, []).ended, start(args).ended]),
    close: service.close,
  }
}
