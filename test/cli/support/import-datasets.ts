import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalService } from '@svc/local'
import { afterEach, beforeEach } from 'vitest'
import { startNode } from '../../support/run.ts'
import { startPatient } from '../../support/service.ts'
import { type SourceOptions, type SourcePlatform, startSource } from '../../support/source-platform.ts'
import { runSvc } from './svc.ts'

/** `svc migrate datasets` from a platform to a service. */

const SVC = fileURLToPath(new URL('../../../packages/cli/bin/svc.js', import.meta.url))

export const examples = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    id: `r${at}`,
    question: `q${at}`,
    answer: `a${at}`,
    topic: 'x',
    ...more,
  }))

export let local: LocalService
export let source: SourcePlatform
export let cwd: string

/** For each test of a file: {@link local} to import to, {@link source} once there are rows, and {@link cwd}, a folder. */
export function useImport(): void {
  beforeEach(async () => {
    local = await startPatient()
    cwd = mkdtempSync(join(tmpdir(), 'svc-datasets-'))
  })
  afterEach(async () => {
    await source?.close()
    await local.close()
    rmSync(cwd, { recursive: true })
  })
}

/** Another service in the place of {@link local}. */
export async function anotherLocal(): Promise<void> {
  await local.close()
  local = await startPatient()
}

export const from = async (options: SourceOptions | SourceOptions['datasets']) => {
  source = await startSource('datasets' in options ? (options as SourceOptions) : { datasets: options })
}

export interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly node?: readonly string[]
  readonly url?: string
}

const command = (args: readonly string[], url = source.url) => ['migrate', 'datasets', '--from', url, ...args]
const variables = (env?: Given['env']) => ({ ...local.env, SOURCE_API_KEY: source.key, ...env })

/** In a process of its own. */
export function start(args: readonly string[], { env, node = [], url }: Given = {}) {
  return startNode([...node, SVC, ...command(args, url)], { cwd, env: variables(env) })
}

/** To its end; in a process of its own if Node has flags. */
export async function run(args: readonly string[], given: Given = {}) {
  const { env, node, url } = given
  const ended = node ? start(args, given).ended : runSvc(command(args, url), { cwd, env: variables(env) })
  const { code, stdout, stderr } = await ended
  return { code, stdout, stderr: stderr.replaceAll(source.url.slice('http://'.length), '<source>') }
}

/** Items of a dataset of the service, in their order. */
export async function items(dataset: string) {
  const all: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await call(`/dataset-items?datasetName=${dataset}&limit=100&page=${page}`)
    all.push(...data)
    if (page >= meta.totalPages) return all
  }
}

async function call(path: string) {
  const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
  return (await (await fetch(`${local.url}/api/public${path}`, { headers: { authorization } })).json()) as {
    data: Record<string, unknown>[]
    meta: { totalPages: number; totalItems: number }
  }
}

/** Ids of the items that were sent, in their order. */
export const sent = () =>
  local
    .calls()
    .filter(({ method, path }) => method === 'POST' && path === '/api/public/dataset-items')
    .map(({ body }) => (body as { id: string }).id)

/** Everything that was written, whatever it was. */
export const writes = () => local.calls().filter(({ method }) => method !== 'GET')

/** Flags of a mapping that leaves out the rows before, so that the second page is reached after few items. */
export function rowsFrom(first: number): string[] {
  const mapping = `export default (row) => Number(row.id.slice(1)) < ${first} ? undefined : { input: row.question }`
  writeFileSync(join(cwd, 'rows.mjs'), mapping)
  return ['--map', 'rows.mjs']
}

export const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
export const POST_ITEM = 'POST /api/public/dataset-items'
