import { createRequire } from 'node:module'
import { settleNativeSpans } from './anthropic/native.ts'
import { type ModuleTarget, paths } from './hook/target.ts'
import { type Place, patchLibrary } from './places.ts'

const require = createRequire(import.meta.url)

/** Entry points of clients that Stainless generates. The class lives in `client`, in older ones in `index`. */
const STAINLESS = paths(['index', 'client'], ['.js', '.mjs'])

/** The modules that runs go through, wherever in the package the application enters. */
const LANGCHAIN = paths(
  'dist/',
  [
    'callbacks/manager',
    ...paths('singletons/', ['', 'async_local_storage/'], 'index'),
    ...paths('language_models/', ['chat_models', 'llms']),
    'runnables/base',
    ...paths(['retrievers', 'tools'], '/index'),
    'utils/stream',
  ],
  ['.js', '.cjs'],
)

/**
 * The packages that are understood, for `hookModules`. What does the work is loaded with the first call, or else
 * with the package. Which versions are understood is said in the catalogue of `@svc/register`.
 */
export const targets = {
  openai: target('openai', STAINLESS, lazily('openai')),
  anthropic: {
    ...target('@anthropic-ai/sdk', STAINLESS, lazily('anthropic')),
    aside: settleNativeSpans,
  },
  groq: target('groq-sdk', STAINLESS, lazily('groq')),
  together: target('together-ai', STAINLESS, lazily('together')),
  googleGenAI: target(
    '@google/genai',
    paths('dist/', ['', 'node/', 'web/'], 'index', ['.cjs', '.mjs']),
    lazily('google-genai'),
  ),
  ollama: target('ollama', paths('dist/', ['index', 'browser'], ['.cjs', '.mjs']), lazily('ollama')),
  cohere: target('cohere-ai', ['api/resources/v2/client/Client.js'], lazily('cohere')),
  cohereV1: target('cohere-ai', ['Client.js'], lazily('cohere-v1')),
  // From version 7 on there is a registry, see `ai-sdk/adopt.ts`; only its streams are heard in the source.
  ai: {
    package: 'ai',
    files: paths('dist/index', ['.js', '.mjs']),
    edit: (source) => from('ai').editAi(source),
    apply() {},
  },
  mistral: target(
    '@mistralai/mistralai',
    paths(['', 'esm/'], 'sdk/', ['agents', 'chat', 'embeddings', 'fim'], '.js'),
    lazily('mistral'),
  ),
  // Its own spans, from version 2.3 on.
  mistralSpans: {
    package: '@mistralai/mistralai',
    files: ['esm/extra/observability/otel.js'],
    edit: (source) => {
      const native: typeof import('./mistral/native.ts') = require('./mistral/native.js')
      return native.editMistral(source)
    },
    apply() {},
  },
  bedrock: target('@aws-sdk/client-bedrock-runtime', paths(['dist-es', 'dist-cjs'], '/index.js'), lazily('bedrock')),
  agents: target('@openai/agents-core', paths('dist/tracing/provider', ['.js', '.mjs']), (exports) =>
    from('agents').instrumentAgents(exports),
  ),
  mcp: target(
    '@modelcontextprotocol/sdk',
    paths('dist/', ['', 'esm/', 'cjs/'], ['client/index', 'experimental/tasks/client'], '.js'),
    lazily('mcp'),
  ),
  // What came after it, from version 2 on.
  mcpClient: target('@modelcontextprotocol/client', paths('dist/index', ['.cjs', '.mjs']), lazily('mcp')),
  langchain: {
    ...target('@langchain/core', LANGCHAIN, (exports) => from('langchain').instrumentLangChain(exports)),
    aside: (exports) => from('langchain').leaveRunsToOthers(exports),
  },
} satisfies Readonly<Record<string, ModuleTarget>>

/** Loads what observes the calls of a library when the first one is made. */
function lazily(place: Place): (exports: unknown) => boolean {
  return (exports) => patchLibrary(place, exports, () => from(place).observing)
}

function target(name: string, files: readonly string[], apply: (exports: unknown) => boolean): ModuleTarget {
  return {
    package: name,
    files,
    apply(exports) {
      apply(exports)
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
  readonly 'cohere-v1': typeof import('./cohere-v1/instrument.ts')
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
