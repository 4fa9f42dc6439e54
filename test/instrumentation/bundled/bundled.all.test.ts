import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { afterAll, expect, it, vi } from 'vitest'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'
import { startService } from '../../support/service.ts'
import { type RecordedTrace, tracesByCase } from '../harness/tree.ts'

// It loads many libraries, and only its end is waited for.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const entry = fileURLToPath(new URL('app.mjs', import.meta.url))
const without = fileURLToPath(new URL('unseen.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'svc-bundled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Some libraries are CommonJS, and ask for the parts of Node by `require`.
const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

const BUNDLERS: Readonly<Record<string, (file: string, program?: string, minify?: boolean) => Promise<unknown>>> = {
  vite: (file, program = entry, minify = true) =>
    vite({
      logLevel: 'silent',
      root: folder,
      build: { ssr: program, outDir: folder, minify, rolldownOptions: { output: { entryFileNames: file } } },
      ssr: { noExternal: true },
    }),
  esbuild: (file, program = entry) =>
    esbuild({
      entryPoints: [program],
      outfile: join(folder, file),
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      banner: { js: banner },
      logLevel: 'silent',
    }),
}

const TRACES: Readonly<Record<string, readonly string[]>> = {
  openai: ['GENERATION chat gpt-test'],
  'openai, refused': ['GENERATION chat error-429 ERROR'],
  'openai, aborted': ['GENERATION chat hang WARNING'],
  anthropic: ['GENERATION chat claude-test'],
  groq: ['GENERATION chat llama-test'],
  together: ['GENERATION chat llama-test'],
  mistral: ['GENERATION chat mistral-test'],
  'google-genai': ['GENERATION generate_content gemini-test'],
  ollama: ['GENERATION chat llama-test'],
  cohere: ['GENERATION chat command-test'],
  'cohere, first version': ['GENERATION chat command-test'],
  bedrock: ['GENERATION chat claude-test'],
  agents: ['CHAIN Agent workflow', '  AGENT invoke_agent Guide', '    SPAN turn 1', '      GENERATION chat gpt-test'],
  mcp: ['TOOL weather'],
  langchain: [
    'CHAIN RunnableSequence',
    '  CHAIN ChatPromptTemplate',
    '  GENERATION chat gpt-test',
    '  CHAIN StrOutputParser',
  ],
  'a tool of LangChain': ['TOOL weather', '  SPAN looking outside'],
  'ai 7': ['AGENT invoke_agent gpt-test', '  SPAN step 1', '    GENERATION chat gpt-test'],
  'ai 6': ['SPAN ai.generateText', '  GENERATION ai.generateText.doGenerate'],
}

it.each(Object.keys(BUNDLERS))('a minified bundle of %s is recorded with one line of code', async (bundler) => {
  const { local, models, close } = await startService()
  await BUNDLERS[bundler]?.(`${bundler}.mjs`)
  const args = [...PRELOAD, join(folder, `${bundler}.mjs`), models.url]
  const { stdout, stderr } = await runNode(args, { cwd, env: { ...local.env } })
  expect([stdout, stderr]).toEqual(['', ''])
  const traces = Object.entries(tracesByCase(local.observations()))
  await close()
  expect(Object.fromEntries(traces.map(([name, roots]) => [name, roots.flatMap(below)]))).toEqual(TRACES)
})

it('a bundle of our packages that is not minified has no name twice beside such a banner', async () => {
  const contents = ['tracing', 'client', 'otel', 'instrumentation']
    .map((name) => `import * as ${name} from '@svc/${name}'\nconsole.log(Object.keys(${name}).length > 0)`)
    .join('\n')
  const outfile = join(folder, 'plain.mjs')
  await esbuild({
    stdin: { contents, resolveDir: cwd },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: banner },
    logLevel: 'silent',
  })
  const { code, stdout, stderr } = await runNode([outfile], { cwd, env: {} })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'true\n'.repeat(4), stderr: '' })
})

it('a bundled library is named once, with a remedy, where its calls are more than the requests that are recorded', async () => {
  const { models, close, env } = await startService()
  await BUNDLERS.vite?.('unseen.mjs', without, false)
  const args = [...PRELOAD, join(folder, 'unseen.mjs'), models.url]
  const linesWith = async (SVC_WIRE: string) => {
    const { stderr } = await runNode(args, { cwd, env: { ...env, SVC_WIRE } })
    return stderr.match(/(?<=\[WARN\] ).*/g) ?? []
  }
  // The first version of Cohere's API is not recognized, and the AI SDK has steps.
  const onWire = await linesWith('on')
  const lines = await linesWith('off')
  await close()
  expect(onWire.map((line) => /^(\S+) is part of a bundle, so of its calls only requests /.exec(line)?.[1])).toEqual([
    'cohere-ai',
    'ai',
  ])
  const named = lines.map((line) => /^(\S+) is part of a bundle, so its calls are not recorded\. /.exec(line)?.[1])
  // Anthropic's tells of its calls itself.
  expect(named.toSorted()).toEqual(
    [
      '@aws-sdk/client-bedrock-runtime',
      '@google/genai',
      '@mistralai/mistralai',
      'ai',
      'cohere-ai',
      'groq-sdk',
      'ollama',
      'openai',
      'together-ai',
    ].toSorted(),
  )
  expect(lines.find((line) => line.startsWith('openai'))).toMatch(/Leave openai out of the bundle, or give it to instr/)
})

/** A line for each observation below. */
function below(trace: RecordedTrace): string[] {
  return trace.below.flatMap((child) => {
    const { type, name, level } = child.observation
    const title = [type, name, ...(level === 'DEFAULT' ? [] : [level])].join(' ')
    return [title, ...below(child).map((line) => `  ${line}`)]
  })
}
