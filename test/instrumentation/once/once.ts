import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'
import { type RecordedTrace, tracesByCase } from '../harness/tree.ts'

const cwd = fileURLToPath(new URL('.', import.meta.url))

/** What one process did: what its application saw, what reached the service, what it said. */
export interface Seen {
  readonly cases: Readonly<Record<string, unknown>>
  /** The traces of all cases, a line for each observation. */
  readonly trees: string
  /** How many requests reached the models, of which kind. */
  readonly requested: Readonly<Record<'GENERATION' | 'EMBEDDING', number>>
  readonly recorded: Readonly<Record<'GENERATION' | 'EMBEDDING', number>>
  /** Paths of requests that told the vendor of a trace. */
  readonly traced: readonly string[]
  /** The attributes of all spans, as they were sent. */
  readonly spans: readonly Readonly<Record<string, unknown>>[]
  /** What was said of instrumentations. */
  readonly lines: readonly string[]
}

/** Runs a list of cases in a process of its own, against a model server and a service of its own. */
export async function seen(
  list: string,
  kind: 'import' | 'require',
  preloads: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const { local, models, close } = await startService()
  try {
    const args = [...preloads.flatMap((each) => ['--import', each]), '--no-warnings', 'app.mjs', list, kind, models.url]
    const { stdout, stderr, code } = await runNode(args, { cwd, env: { ...local.env, NO_COLOR: '1', ...more } })
    if (!stdout) throw new Error(`${list} by ${kind} said nothing (${code}):\n${stderr}`)
    const observations = local.observations()
    const recorded = (kind: string) => observations.filter(({ type }) => type === kind).length
    const requests = models.requests().map(({ path, headers }) => ({ path, headers }))
    const embeddings = requests.filter(({ path }) => path.endsWith('/embeddings')).length
    return {
      cases: JSON.parse(stdout),
      trees: Object.values(tracesByCase(observations))
        .flat()
        .map((trace) => `${line(trace)}\n`)
        .join('\n'),
      requested: { GENERATION: requests.length - embeddings, EMBEDDING: embeddings },
      recorded: { GENERATION: recorded('GENERATION'), EMBEDDING: recorded('EMBEDDING') },
      traced: requests.flatMap(({ path, headers }) => (headers.traceparent ? [path] : [])),
      spans: local.spans().map(({ attributes }) => attributes),
      lines: stderr.split('\n').flatMap((line) => /(?:^| )((spans of|instrumentation) .*)$/.exec(line)?.[1] ?? []),
    }
  } finally {
    await close()
  }
}

const page = (list: string) => fileURLToPath(new URL(`${list}.txt`, import.meta.url))

const written = new Map<string, string>()

/** A call of a model is one generation, a case is one trace, and the application sees what it sees without us (`bare`). */
export async function checkOnce(list: string, ours: Seen, bare?: Seen): Promise<void> {
  if (bare) expect(ours.cases).toEqual(bare.cases)
  if (bare) expect(ours.requested).toEqual(bare.requested)
  expect(ours.recorded).toEqual(ours.requested)
  expect(ours.traced).toEqual([])
  // With --update as well: a page is the same for all who share it.
  expect(ours.trees).toBe(written.get(list) ?? ours.trees)
  written.set(list, ours.trees)
  await expect(ours.trees).toMatchFileSnapshot(page(list))
}

function line({ observation: { type, name, metadata }, below }: RecordedTrace, indent = ''): string {
  const scope = (metadata as { scope?: { name?: string } }).scope?.name ?? 'svc-sdk'
  const children = below.map((child) => line(child, `${indent}  `)).sort()
  return [`${indent}${type} ${name} (${scope})`, ...children].join('\n')
}
