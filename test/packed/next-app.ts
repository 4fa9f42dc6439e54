import { join } from 'node:path'
import { type Ended, startNode } from '../support/run.ts'

/** A built project of Next that runs. */
export interface NextApp extends AsyncDisposable {
  readonly url: string
  /** Ends it; what it said. */
  stop(): Promise<Ended>
}

/** Next's command line in a project. */
export const nextOf = (home: string): string => join(home, 'node_modules/next/dist/bin/next')

/** `next start` in the folder of a project. */
export async function startNext(
  home: string,
  env: Readonly<Record<string, string>>,
  node = process.execPath,
): Promise<NextApp> {
  const args = [nextOf(home), 'start', '-p', '0', '-H', '127.0.0.1']
  const running = startNode(args, { cwd: home, node, env: { NEXT_TELEMETRY_DISABLED: '1', ...env } })
  const [, url = ''] = await running.printed(/Local:\s+(http:\S+)/)
  await running.printed(/Ready in/)
  const stop = () => {
    running.kill('SIGTERM')
    return running.ended
  }
  return {
    url,
    stop,
    [Symbol.asyncDispose]: async () => {
      running.kill('SIGKILL')
      await running.ended
    },
  }
}
