import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { AGENTS, type Agents } from './agents.ts'

/** A folder for each, in one installation: what several need is installed once. */
const nameOf = ({ name }: Agents) => name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')

const options = { only: ['@svc/register'], args: ['--legacy-peer-deps'] }
let home: string
let alone: string
const folderOf = (agents: Agents) => (agents.isAlone ? alone : join(home, nameOf(agents)))
beforeAll(async () => {
  const [own] = AGENTS.filter(({ isAlone }) => isAlone)
  const together = AGENTS.filter(({ isAlone }) => !isAlone)
  const workspaces = Object.fromEntries(together.map((each) => [nameOf(each), { dependencies: each.dependencies }]))
  // What it finds above is the peer of who asks for any.
  const dependencies = { ai: '6.0.326' }
  home = await installPacked({ dependencies }, { ...options, workspaces })
  alone = await installPacked({ dependencies: own?.dependencies ?? {} }, options)
  const programs = fileURLToPath(new URL('agents', import.meta.url))
  await Promise.all(
    AGENTS.map(async (each) => {
      const folder = folderOf(each)
      await cp(programs, folder, { recursive: true })
      const program = await readFile(join(folder, `${each.program}.mjs`), 'utf8')
      await writeFile(join(folder, `${each.program}.cjs`), toCommonJs(program))
    }),
  )
}, 3 * NPM_TIMEOUT)

describe.each(AGENTS)('a run of $name', (agents) => {
  const kinds = agents.commonJs ? ['mjs', 'cjs'] : ['mjs']
  it.each(kinds.flatMap((kind) => ['generate', 'stream'].map((how) => [how, kind] as const)))(
    '(%s, %s) is one trace, with a generation for each request, its tokens, and a tool for each call',
    async (how, kind) => {
      const service = await startService()
      try {
        const NODE_OPTIONS = `--import ${pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))}`
        const google = { GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: service.models.url }
        const anthropic = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: service.models.url }
        const env = { ...service.env, ...google, ...anthropic, NODE_OPTIONS }
        // Of the preload the published form is installed.
        const cwd = folderOf(agents)
        const { code, stdout, stderr } = await runNode([`${agents.program}.${kind}`, how], { cwd, env, asBuilt: true })
        expect(code, stderr).toBe(0)
        const { answer, runs } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
        expect(answer).toContain(runs > 0 ? 'sunny in Rome' : 'You asked')
        const observations = service.local.observations()
        const generations = observations.filter(({ type }) => type === 'GENERATION')
        if (agents.agent) expect(observations.map(({ name }) => name).join()).toContain(agents.agent)
        expect({
          traces: new Set(observations.map(({ traceId }) => traceId)).size,
          roots: observations.filter(({ parentId }) => parentId === null).length,
          generations: generations.length,
          tokens: generations.reduce((sum, { usage }) => sum + Number(usage.total), 0),
          tools: observations.filter(({ type }) => type === 'TOOL').length,
        }).toEqual({
          traces: 1,
          roots: 1,
          generations: asked(service).length,
          tokens: await tokens(service),
          tools: runs,
        })
      } finally {
        await service.close()
      }
    },
    NPM_TIMEOUT,
  )
})

it('a workflow of Mastra that another process resumes from its storage has the same run_id, and a link; what it asks is its output', async () => {
  const service = await startService()
  try {
    const NODE_OPTIONS = `--import ${pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))}`
    const run = { cwd: join(home, 'mastra-s-workflows'), env: { ...service.env, NODE_OPTIONS }, asBuilt: true }
    const { stdout: runId } = await runNode(['mastra-resumed.mjs'], run)
    await runNode(['mastra-resumed.mjs', runId.trim()], run)
    const [paused, resumed] = service.local.observations().filter(({ type }) => type === 'CHAIN')
    expect(paused?.output).toEqual({ ask: { text: 'Go on?' } })
    expect(resumed?.traceId).not.toBe(paused?.traceId)
    expect([paused, resumed].map((run) => [run?.statusMessage, (run?.metadata as Run | undefined)?.run_id])).toEqual([
      ['interrupted', runId.trim()],
      [null, runId.trim()],
    ])
    const links = service.local.spans().flatMap((span) => span.links)
    expect(links.map(({ spanId }) => spanId)).toEqual([paused?.id])
  } finally {
    await service.close()
  }
})

interface Run {
  readonly run_id?: string
}

const asked = ({ models }: Service) => models.requests().filter(({ method }) => method === 'POST')

/** The tokens that the model counted: it says the same again to who asks the same, whether in a stream or not. */
async function tokens(service: Service): Promise<number> {
  let sum = 0
  for (const { path, body } of asked(service)) {
    const url = service.models.url + path.replace(':streamGenerateContent', ':generateContent')
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...body, stream: false }) })
    const { usage = {}, usageMetadata = {} } = (await answer.json()) as Record<'usage' | 'usageMetadata', Counts>
    sum +=
      usage.total_tokens ??
      usageMetadata.totalTokenCount ??
      ANTHROPIC.reduce((all, name) => all + (usage[name] ?? 0), 0)
  }
  return sum
}

type Counts = Readonly<Record<string, number | undefined>>

/** It has no sum. */
const ANTHROPIC = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens']

function toCommonJs(program: string): string {
  const required = program
    .replaceAll(/^import \{([^}]*)\} from ('.*')$/gm, (_, names, from) => `const {${names}} = require(${from})`)
    .replaceAll(/^import (\w+) from ('.*')$/gm, 'const { default: $1 } = require($2)')
  return `;(async () => {\n${required}\n})()\n`
}
