import { fileURLToPath } from 'node:url'
import { startLocal } from '@svc/local'
import { type ModelRequest, type ModelServer, startModelServer } from '@svc-examples/model-server'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
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
  /** The cases to run. Default: all. */
  readonly only?: readonly string[]
}

/** What an application saw of a variant, what its model was asked, what reached the service. */
export interface Run {
  readonly cases: Readonly<Record<string, unknown>>
  readonly requests: readonly unknown[]
  readonly traces: Readonly<Record<string, readonly RecordedTrace[]>>
}

/** What one process did. */
export interface Process {
  /** In the order of the variants. */
  readonly runs: readonly Run[]
  readonly stderr: string
  /** The signal by which it ended: its own SIGTERM, unless something went wrong. */
  readonly signal: string | null
}

export interface ProcessOptions {
  /** The Node to run. */
  readonly node?: string
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>
  /** Called with the model servers when the process has ended. */
  readonly ended?: (models: readonly ModelServer[]) => Promise<void>
}

/** On a busy machine an application may give up before its request has left. */
function isHanging({ path, body }: ModelRequest): boolean {
  return body?.model === 'hang' || /\/hang[:/]/.test(path)
}

/**
 * Runs all cases of variants, one after the other, in one process with a service of its own. Each has its own model
 * server, so that it is given the same ids wherever it stands.
 *
 * @param seen under the preload, or as without us
 */
export async function run(
  variants: readonly Variant[],
  seen: boolean,
  { node = process.execPath, env = {}, ended = async () => {} }: ProcessOptions = {},
): Promise<Process> {
  const local = await startLocal()
  const models = await Promise.all(variants.map(() => startModelServer()))
  const silent = { ...local.env, SVC_LOG_LEVEL: 'ERROR', NO_COLOR: '1', ...env }
  try {
    const plan = variants.map((variant, index) => ({ ...variant, url: models[index]?.url }))
    const args = [...(seen ? PRELOAD : []), '--expose-gc', '--no-deprecation', app, JSON.stringify(plan)]
    const { stdout, stderr, code, signal } = await runNode(args, { node, cwd, env: silent })
    if (!stdout) throw new Error(`${variants.map(({ name }) => name)} said nothing (${code}):\n${stderr}`)
    await ended(models)
    const cases = plain(JSON.parse(stdout)) as Run['cases'][]
    const traces = tracesByIndex(local.observations())
    const runs = models.map((model, index) => ({
      cases: cases[index] ?? {},
      requests: model
        .requests()
        .filter((request) => !isHanging(request))
        .map((request) => JSON.stringify(plain(request)))
        .sort(),
      traces: traces[index] ?? {},
    }))
    return { runs, stderr, signal }
  } finally {
    await Promise.all([local, ...models].map((server) => server.close()))
  }
}

/** The traces of each variant, whose number the names of their roots begin with. */
function tracesByIndex(observations: Parameters<typeof tracesByCase>[0]): Record<string, RecordedTrace[]>[] {
  const byIndex: Record<string, RecordedTrace[]>[] = []
  for (const [numbered, traces] of Object.entries(tracesByCase(observations))) {
    const [, index = '0', title = numbered] = /^(\d+) (.*)$/.exec(numbered) ?? []
    byIndex[Number(index)] ??= {}
    const renamed = traces.map((trace) => ({ ...trace, observation: { ...trace.observation, name: title } }))
    Object.assign(byIndex[Number(index)] ?? {}, { [title]: renamed })
  }
  return byIndex
}
