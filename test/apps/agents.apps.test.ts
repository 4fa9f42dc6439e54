import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { installPacked, NPM_TIMEOUT } from '../packed/pack.ts'
import { runNode } from '../support/run.ts'
import { startService } from '../support/service.ts'

/** A framework of agents, whose program in `agents` asks for the weather in two cities. */
interface Agents {
  readonly name: string
  readonly program: string
  readonly dependencies: Readonly<Record<string, string>>
}

const AGENTS: readonly Agents[] = [
  { name: 'Genkit', program: 'genkit.mjs', dependencies: { genkit: '1.42.0', '@genkit-ai/compat-oai': '1.42.0' } },
  {
    name: "Google's Agent Development Kit",
    program: 'adk.mjs',
    dependencies: { '@google/adk': '2.0.0', zod: '4.4.3' },
  },
  {
    name: 'Strands',
    program: 'strands.mjs',
    dependencies: { '@strands-agents/sdk': '1.19.0', openai: '6.49.0', zod: '4.4.3' },
  },
]

it.each(AGENTS)(
  'a run of $name is one trace, with a generation for each request and a tool for each call',
  async ({ program, dependencies }) => {
    const home = await installPacked({ dependencies }, { only: ['@svc/register'] })
    await cp(fileURLToPath(new URL('agents', import.meta.url)), home, { recursive: true })
    const service = await startService()
    try {
      const NODE_OPTIONS = `--import ${pathToFileURL(join(home, 'node_modules/@svc/register/index.js'))}`
      const google = { GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: service.models.url }
      const env = { ...service.env, ...google, NODE_OPTIONS }
      // Of the preload the published form is installed.
      const { code, stdout } = await runNode([program], { cwd: home, env, asBuilt: true })
      expect(code).toBe(0)
      const { answer, runs } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      expect(answer).toContain('sunny in Rome')
      const observations = service.local.observations()
      expect(new Set(observations.map(({ traceId }) => traceId)).size).toBe(1)
      expect(observations.filter(({ parentId }) => parentId === null)).toHaveLength(1)
      const generations = observations.filter(({ type }) => type === 'GENERATION')
      expect(generations).toHaveLength(service.models.requests().length)
      expect(generations.every(({ usage }) => Number(usage.total) > 0)).toBe(true)
      expect(observations.filter(({ type }) => type === 'TOOL')).toHaveLength(runs)
    } finally {
      await service.close()
    }
  },
  3 * NPM_TIMEOUT,
)
