import { fileURLToPath } from 'node:url'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GEMINI, MESSAGES, RESPONSES } from '../../../packages/instrumentation/test/api-dialects.ts'
import { type DialectServer, startDialectServer } from '../../../packages/instrumentation/test/dialect-server.ts'
import { ABOUT, DIALECTS } from '../../../packages/instrumentation/test/dialects.ts'
import { cwd, PRELOAD } from '../../preload/apps.ts'
import { runNode } from '../../support/run.ts'

// The clients, LangChain with and without its handler, `observeOpenAI` and requests on the wire are compared with the same
// table beside their sources (`dialects.test.ts`); here are the AI SDK, as the service
// reads its spans, and LangChain's other packages.

const NAMES = Object.keys(DIALECTS)
const ALL = { ...DIALECTS, ...MESSAGES, ...GEMINI, ...RESPONSES }

/** Who asks: a package of a provider below a major of the SDK, and the dialects that it is asked in. */
const ASKED: readonly (readonly [sdk: string, provider: string, dialects: readonly string[]])[] = [
  ...['ai-5', 'ai-6', 'ai'].flatMap((sdk) => [
    [sdk, '@ai-sdk/anthropic', Object.keys(MESSAGES)] as const,
    [sdk, '@ai-sdk/google', Object.keys(GEMINI)] as const,
    [sdk === 'ai' ? 'ai-7' : sdk, '@ai-sdk/openai responses', Object.keys(RESPONSES)] as const,
  ]),
  ['ai-6', '@ai-sdk/xai responses', Object.keys(RESPONSES)],
  ['ai', '@ai-sdk/xai responses', Object.keys(RESPONSES)],
  ['ai', 'xai-5', Object.keys(RESPONSES)],
  ['ai-5', '@ai-sdk/openai', NAMES],
  ['ai-6', '@ai-sdk/openai', NAMES],
  ['ai-7', '@ai-sdk/openai', NAMES],
  ['ai', '@ai-sdk/openai-compatible', NAMES],
  ['ai', '@ai-sdk/azure', of('Azure')],
  ['ai', '@ai-sdk/deepseek', of('DeepSeek')],
  ['ai', '@ai-sdk/groq', of('Groq')],
  ['ai', '@ai-sdk/mistral', of('Mistral')],
  ['ai', '@ai-sdk/perplexity', of('Perplexity')],
  ['ai', '@ai-sdk/xai', of('xAI')],
  ['ai', '@openrouter/ai-sdk-provider', of('OpenRouter')],
  ['@langchain/core/messages', '@langchain/anthropic', Object.keys(MESSAGES)],
  ['@langchain/core/messages', '@langchain/google', Object.keys(GEMINI)],
  ['@langchain/core/messages', '@langchain/google-genai', Object.keys(GEMINI)],
  ['@langchain/core/messages', '@langchain/openai responses', Object.keys(RESPONSES)],
  // It sends its requests itself, as few of LangChain's packages do.
  ['@langchain/core/messages', '@langchain/openrouter', NAMES],
  ['@langchain/core/messages', '@langchain/xai', of('xAI')],
]

/** What differs on purpose: the sources of providers that have a place for them are in the SDK's words, which stay. */
const SOURCES_OF_THE_SDK = ['@ai-sdk/perplexity', '@ai-sdk/xai', '@openrouter/ai-sdk-provider']

/** Those that are installed beside this file. */
const SDKS_HERE = ['ai', '@langchain/core/messages']

let server: DialectServer
let service: LocalService
beforeAll(async () => {
  ;[server, service] = await Promise.all([startDialectServer(), startLocal()])
})
afterAll(() => Promise.all([server.close(), service.close()]))

describe.each(ASKED)('%s, by %s', (sdk, provider, names) => {
  let observations: ReturnType<LocalService['observations']>
  beforeAll(async () => {
    const vendors = names.map((name) => ({ name: `${sdk} ${provider} ${name}`, url: server.urlOf(name) }))
    const folder = fileURLToPath(new URL(SDKS_HERE.includes(sdk) ? '.' : `../${sdk}`, import.meta.url))
    const args = [...PRELOAD, program, folder, sdk, provider, JSON.stringify(vendors)]
    const { code, stderr } = await runNode(args, { cwd, env: service.env })
    expect(code, stderr).toBe(0)
    observations = service.observations()
  }, 120_000)

  it.each(names.flatMap((name) => ['whole', 'streamed'].map((way) => ({ name, way }))))(
    '$name, $way',
    ({ name, way }) => {
      const root = observations.find((each) => each.name === `${sdk} ${provider} ${name}, ${way}`)
      const asked = observations.filter(({ traceId, type }) => traceId === root?.traceId && type === 'GENERATION')
      const { text, thinking, calls, ...common } = { ...ABOUT, ...ALL[name]?.expected }
      const sources = [expect.objectContaining({ type: 'source', url: SOURCE })]
      const facts = SOURCES_OF_THE_SDK.includes(provider) ? { ...common, citations: sources } : common
      expect(asked.map(recorded)).toEqual([facts])
      for (const fact of [text, thinking, ...(calls ? ['weather', 'Rome'] : [])])
        expect(JSON.stringify(asked[0]?.output)).toContain(fact ?? '')
    },
  )
})

const SOURCE = 'https://weather.test/paris'
const program = fileURLToPath(new URL('app.mjs', import.meta.url))

function of(vendor: string): readonly string[] {
  return NAMES.filter((name) => name.startsWith(vendor))
}

function recorded({ model, usage, cost, modelParameters, metadata }: ReturnType<LocalService['observations']>[number]) {
  const { attributes, citations } = metadata as Record<string, unknown>
  const { 'gen_ai.response.id': id } = attributes as Record<string, unknown>
  const tier = (modelParameters as Record<string, unknown> | null)?.service_tier
  const facts = { id, model, usage, cost: (cost as { total?: number } | null)?.total, tier, citations }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null))
}
