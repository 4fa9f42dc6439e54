import { fileURLToPath } from 'node:url'
import type { ModelRequest } from '@svc-examples/model-server'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'
import { plain } from './plain.ts'
import { type RecordedTrace, tracesByCase } from './tree.ts'

const app = fileURLToPath(new URL('app.mjs', import.meta.url))

export type Kind = 'import' | 'require'

/** One version of a library, loaded one way. */
export interface Variant {
  /** Folder of the library. */
  readonly folder: string
  /** The name it is installed under: `openai-4`. */
  readonly name: string
  readonly kind: Kind
  /** The Node to run. */
  readonly node: string
}

/** What one process did: what its application saw, what its model was asked, what reached the service. */
export interface Run {
  readonly cases: Readonly<Record<string, unknown>>
  readonly requests: readonly unknown[]
  readonly stderr: string
  /** The signal by which it ended: its own SIGTERM, unless something went wrong. */
  readonly signal: string | null
  readonly traces: Readonly<Record<string, readonly RecordedTrace[]>>
}

/** On a busy machine an application may give up before its request has left. */
function isHanging({ path, body }: ModelRequest): boolean {
  return body?.model === 'hang' || /\/hang[:/]/.test(path)
}

/**
 * Runs all cases of a variant in a process of its own, against a model server and a service of its own.
 *
 * @param seen under the preload, or as without us
 * @param env more variables
 */
export async function run(
  { folder, name, kind, node }: Variant,
  seen: boolean,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const { local, models, close } = await startService()
  // On a busy machine the last spans need longer than the 2 s that they have.
  const silent = { ...local.env, SVC_LOG_LEVEL: 'ERROR', SVC_SHUTDOWN_TIMEOUT: '30', NO_COLOR: '1', ...env }
  try {
    const args = [...(seen ? PRELOAD : []), '--expose-gc', '--no-deprecation', app, folder, name, kind, models.url]
    const { stdout, stderr, code, signal } = await runNode(args, { node, cwd, env: silent })
    if (!stdout) throw new Error(`${name} by ${kind} said nothing (${code}):\n${stderr}`)
    return {
      cases: plain(JSON.parse(stdout)) as Run['cases'],
      requests: models
        .requests()
        .filter((request) => !isHanging(request))
        .map((request) => JSON.stringify(plain(request)))
        .sort(),
      stderr,
      signal,
      traces: tracesByCase(local.observations()),
    }
  } finally {
    await close()
  }
}
