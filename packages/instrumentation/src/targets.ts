import { createRequire } from 'node:module'
import type { ModuleTarget } from './hook/target.ts'

const require = createRequire(import.meta.url)

/** Entry points of clients that Stainless generates. The class lives in `client`, in older ones in `index`. */
const STAINLESS = /^(index|client)\.m?js$/

/** The modules that runs go through, wherever in the package the application enters. */
const LANGCHAIN =
  /^dist\/(callbacks\/manager|singletons\/(async_local_storage\/)?index|language_models\/(chat_models|llms)|runnables\/base|(retrievers|tools)\/index|utils\/stream)\.c?js$/

/**
 * The packages that are understood, for `hookModules`. What does the work is loaded with the package. Which versions
 * are understood is said in the catalogue of `@svc/register`.
 */
export const targets = {
  openai: target('openai', STAINLESS, () => from('openai').instrumentOpenAI),
  anthropic: target('@anthropic-ai/sdk', STAINLESS, () => from('anthropic').instrumentAnthropic),
  groq: target('groq-sdk', STAINLESS, () => from('groq').instrumentGroq),
  together: target('together-ai', STAINLESS, () => from('together').instrumentTogether),
  googleGenAI: target(
    '@google/genai',
    /^dist\/((node|web)\/)?index\.[cm]js$/,
    () => from('google-genai').instrumentGoogleGenAI,
  ),
  ollama: target('ollama', /^dist\/(index|browser)\.[cm]js$/, () => from('ollama').instrumentOllama),
  cohere: target('cohere-ai', /^api\/resources\/v2\/client\/Client\.js$/, () => from('cohere').instrumentCohere),
  // From version 7 on there is a registry, see `ai-sdk/adopt.ts`, and the source stays as it is.
  ai: {
    package: 'ai',
    file: /^dist\/index\.m?js$/,
    edit: (source) => from('ai').editAi(source),
    apply() {},
  },
  mistral: {
    package: '@mistralai/mistralai',
    file: /^esm\/extra\/observability\/otel\.js$/,
    edit: (source) => from('mistral').editMistral(source),
    apply() {},
  },
  bedrock: target(
    '@aws-sdk/client-bedrock-runtime',
    /^dist-(es|cjs)\/index\.js$/,
    () => from('bedrock').instrumentBedrock,
  ),
  agents: target('@openai/agents-core', /^dist\/tracing\/provider\.m?js$/, () => from('agents').instrumentAgents),
  mcp: target('@modelcontextprotocol/sdk', /^dist\/((esm|cjs)\/)?client\/index\.js$/, () => from('mcp').instrumentMcp),
  langchain: target('@langchain/core', LANGCHAIN, () => from('langchain').instrumentLangChain),
} satisfies Readonly<Record<string, ModuleTarget>>

function target(name: string, file: RegExp, load: () => (exports: unknown) => boolean): ModuleTarget {
  return {
    package: name,
    file,
    apply(exports) {
      load()(exports)
    },
  }
}

interface Folders {
  readonly openai: typeof import('./openai/instrument.ts')
  readonly anthropic: typeof import('./anthropic/instrument.ts')
  readonly groq: typeof import('./groq/instrument.ts')
  readonly together: typeof import('./together/instrument.ts')
  readonly 'google-genai': typeof import('./google-genai/instrument.ts')
  readonly ollama: typeof import('./ollama/instrument.ts')
  readonly cohere: typeof import('./cohere/instrument.ts')
  readonly ai: typeof import('./ai/instrument.ts')
  readonly mistral: typeof import('./mistral/instrument.ts')
  readonly bedrock: typeof import('./bedrock/instrument.ts')
  readonly agents: typeof import('./agents/instrument.ts')
  readonly mcp: typeof import('./mcp/instrument.ts')
  readonly langchain: typeof import('./langchain/instrument.ts')
}

function from<Folder extends keyof Folders>(folder: Folder): Folders[Folder] {
  return require(`./${folder}/instrument.js`)
}
