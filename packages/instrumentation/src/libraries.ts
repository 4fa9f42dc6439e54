import { patchRealtimeAgents } from './agents/realtime/patch.ts'
import { configureNativeSpans } from './anthropic/native.ts'
import { patchAnthropic } from './anthropic/patch.ts'
import { createBedrockPatch } from './bedrock/patch.ts'
import { patchCohere, patchCohereV1 } from './cohere/patch.ts'
import { patchGenerativeModels } from './generative-model/patch.ts'
import { patchGoogleGenAI } from './google-genai/patch.ts'
import { paths } from './hook/target.ts'
import { TASKS as HUGGING_FACE } from './huggingface/edit.ts'
import { patchLangGraphSdk } from './langgraph-sdk/patch.ts'
import {
  defineCompatible,
  defineLibrary,
  defineVectorStore,
  exportsAnyOf,
  exportsClass,
  type Library,
  STAINLESS,
} from './library.ts'
import { patchMcp } from './mcp/patch.ts'
import { patchMistral } from './mistral/patch.ts'
import { patchOpenAI } from './openai/patch.ts'
import { patchRealtime } from './openai/realtime/patch.ts'
import { patchOpenRouter } from './openrouter/patch.ts'
import { createMethodPatch } from './patch/patch-methods.ts'
import { patchReplicate } from './replicate/patch.ts'
import { patchChroma, patchMilvus, patchWeaviate } from './vector-stores/patch.ts'
import { METHODS as WATSONX } from './watsonx/methods.ts'

export type { Duplicate } from './library.ts'

/**
 * The supported libraries. Everything that depends on the library reads this table: the preload's hook, `instrument()`,
 * the catalogue, the rules for duplicates and the docs.
 */
export const LIBRARIES: readonly Library[] = [
  defineLibrary({
    name: 'openai',
    package: 'openai',
    versions: { from: '4.19.0', below: '8.0.0' },
    files: [...STAINLESS, ...paths('helpers/responses-tool-runner', ['.js', '.mjs'])],
    module: 'openai/instrument',
    patch: patchOpenAI,
    bundle: { isExportedIn: exportsClass('OpenAI', 'post') },
    // Minified class names on an unknown host are most likely OpenAI's.
    requestPattern:
      /^(?!api\.(?:anthropic|groq|together|cerebras|perplexity)\.)\S+ (?:\w*OpenAI|[\w$]{1,3})\/JS (?!.* anthropic-version$)/,
    sentryOrigin: 'openai',
    duplicates: {
      openai: { spans: /^(?!image_variation )/ },
      llamaindex: { spans: /^chat /, isFramework: true },
    },
  }),
  // Realtime sessions over a WebSocket, which the package's entry point does not export.
  defineLibrary({
    name: 'openai',
    package: 'openai',
    versions: { from: '4.19.0', below: '8.0.0' },
    files: paths(['', 'beta/'], 'realtime/', ['ws', 'websocket'], ['.js', '.mjs']),
    module: 'openai/realtime/instrument',
    patch: patchRealtime,
    bundle: {
      isExportedIn: (exports) =>
        ['OpenAIRealtimeWS', 'OpenAIRealtimeWebSocket'].some((name) => exportsClass(name, '_emit')(exports)),
    },
  }),
  defineLibrary({
    name: 'anthropic',
    package: '@anthropic-ai/sdk',
    versions: { from: '0.60.0', below: '2.0.0' },
    files: STAINLESS,
    module: 'anthropic/instrument',
    patch: patchAnthropic,
    whenReplaced: configureNativeSpans,
    bundle: {
      // The second is extended for other platforms: `AnthropicVertex`.
      isExportedIn: (exports) => ['Anthropic', 'BaseAnthropic'].some((name) => exportsClass(name, 'post')(exports)),
    },
    requestPattern: /^\S+ (?:\w*Anthropic\w*\/JS |.* anthropic-version$)/,
    sentryOrigin: 'anthropic',
    duplicates: { anthropic: { spans: /^(?!text_completion )/ } },
    childScopes: /^com\.anthropic\.sdk\.typescript(\..+)?$/,
  }),
  // The library's own spans, which some clients enable.
  defineLibrary({
    name: 'anthropic',
    package: '@anthropic-ai/sdk',
    versions: { from: '1.0.0', below: '2.0.0' },
    files: paths('internal/tracing', ['.js', '.mjs']),
    edit: 'anthropic',
  }),
  defineCompatible({
    name: 'groq',
    package: 'groq-sdk',
    versions: { from: '0.5.0', below: '2.0.0' },
    client: 'Groq',
    host: 'api.groq.com',
    provider: 'groq',
    sentryOrigin: 'groq',
  }),
  defineCompatible({
    name: 'together',
    package: 'together-ai',
    versions: { from: '0.6.0', below: '1.0.0' },
    client: 'Together',
    host: 'api.together.xyz',
    provider: 'together_ai',
    sentryOrigin: 'together_ai',
    duplicates: { 'together-ai': { package: '@traceloop/instrumentation-together' } },
  }),
  defineCompatible({
    name: 'cerebras',
    package: '@cerebras/cerebras_cloud_sdk',
    versions: { from: '1.3.0', below: '2.0.0' },
    client: 'Cerebras',
    host: 'api.cerebras.ai',
    provider: 'cerebras',
  }),
  defineCompatible({
    name: 'perplexity',
    package: '@perplexity-ai/perplexity_ai',
    versions: { from: '0.16.0', below: '1.0.0' },
    client: 'Perplexity',
    host: 'api.perplexity.ai',
    provider: 'perplexity',
    files: [...STAINLESS, 'dist/client.js'],
  }),
  defineLibrary({
    name: 'openrouter',
    package: '@openrouter/sdk',
    versions: { from: '0.1.0', below: '2.0.0' },
    files: paths('esm/sdk/', ['chat', 'embeddings'], '.js'),
    module: 'openrouter/instrument',
    patch: patchOpenRouter,
    bundle: { isExportedIn: exportsAnyOf('OpenRouter') },
  }),
  defineLibrary({
    name: 'watsonx',
    package: '@ibm-cloud/watsonx-ai',
    versions: { from: '1.3.0', below: '2.0.0' },
    files: ['vml_v1.js', 'vml_v1.mjs', 'dist/watsonx-ai-ml/vml_v1.js'],
    module: 'watsonx/instrument',
    patch: createMethodPatch('WatsonXAI', Object.keys(WATSONX)),
    bundle: { isExportedIn: exportsClass('WatsonXAI', 'generateText') },
  }),
  defineLibrary({
    name: 'replicate',
    package: 'replicate',
    versions: { from: '0.29.0', below: '2.0.0' },
    files: ['index.js', 'lib/predictions.js'],
    module: 'replicate/instrument',
    patch: patchReplicate,
    bundle: { isExportedIn: exportsAnyOf('parseProgressFromLogs') },
  }),
  defineLibrary({
    name: 'huggingface',
    package: '@huggingface/inference',
    versions: { from: '2.8.0', below: '5.0.0' },
    files: [
      ...paths('dist/index', ['.js', '.cjs']),
      ...paths('dist/', ['esm', 'commonjs'], '/tasks/nlp/', HUGGING_FACE, '.js'),
    ],
    edit: 'huggingface',
    bundle: {
      isExportedIn: exportsAnyOf('HfInference'),
      advice: () => 'leave @huggingface/inference out of the bundle, and start Node with --import @svc/register.',
    },
  }),
  defineLibrary({
    name: 'google-genai',
    package: '@google/genai',
    versions: { from: '1.0.0', below: '4.0.0' },
    files: paths('dist/', ['', 'node/', 'web/'], 'index', ['.cjs', '.mjs']),
    module: 'google-genai/instrument',
    patch: patchGoogleGenAI,
    bundle: { isExportedIn: exportsClass('Models', 'generateContentInternal') },
    requestPattern: / google-genai-sdk\//,
    sentryOrigin: 'google_genai',
  }),
  defineLibrary({
    name: 'generative-ai',
    package: '@google/generative-ai',
    versions: { from: '0.11.0', below: '1.0.0' },
    files: paths('dist/', 'index', ['.js', '.mjs']),
    module: 'generative-model/instrument',
    patch: patchGenerativeModels,
    bundle: { isExportedIn: exportsAnyOf('GoogleGenerativeAI') },
  }),
  defineLibrary({
    name: 'vertexai',
    package: '@google-cloud/vertexai',
    versions: { from: '1.1.0', below: '2.0.0' },
    files: ['build/src/index.js'],
    module: 'generative-model/instrument',
    patch: (exports, load) => patchGenerativeModels(exports, () => ({ wrappers: load().vertexWrappers })),
    bundle: { isExportedIn: exportsAnyOf('VertexAI') },
    duplicates: { vertexai: {} },
  }),
  defineLibrary({
    name: 'ollama',
    package: 'ollama',
    versions: { from: '0.5.0', below: '1.0.0' },
    files: paths('dist/', ['index', 'browser'], ['.cjs', '.mjs']),
    module: 'ollama/instrument',
    patch: createMethodPatch('Ollama', ['chat', 'generate', 'embed', 'embeddings']),
    bundle: { isExportedIn: exportsClass('Ollama', 'chat') },
    requestPattern: / ollama-js\//,
  }),
  defineLibrary({
    name: 'cohere',
    package: 'cohere-ai',
    versions: { from: '7.14.0', below: '9.0.0' },
    files: ['api/resources/v2/client/Client.js'],
    module: 'cohere/instrument',
    patch: patchCohere,
    bundle: { isExportedIn: exportsAnyOf('CohereClientV2') },
    requestPattern: / cohere-ai\//,
    duplicates: { cohere: { spans: /^cohere\.(chat|completion)$/ } },
  }),
  // Version 1 of its API.
  defineLibrary({
    name: 'cohere',
    package: 'cohere-ai',
    versions: { from: '7.14.0', below: '9.0.0' },
    files: ['Client.js'],
    module: 'cohere/v1/instrument',
    patch: patchCohereV1,
    bundle: { isExportedIn: exportsAnyOf('CohereClientV2') },
  }),
  defineLibrary({
    name: 'ai',
    package: 'ai',
    versions: { from: '5.0.0', below: '8.0.0' },
    files: paths('dist/index', ['.js', '.mjs']),
    // Version 7 has a registry, see `ai-sdk/adopt.ts`; only its streams need an edit of the source.
    edit: 'ai-sdk',
    // Version 7 is reached through its registry in a bundle as well.
    requestPattern: / ai\/[56]\./,
    sentryOrigin: 'vercelai',
    bundle: {
      isExportedIn: exportsAnyOf('registerTelemetry', 'generateText', 'streamText'),
      // The preload reaches version 7 in a bundle, too.
      advice: (exports) =>
        exportsAnyOf('registerTelemetry')(exports)
          ? undefined
          : 'ai 5 and 6 record a bundled call with experimental_telemetry: { isEnabled: true } alone.',
    },
  }),
  defineLibrary({
    name: 'mistral',
    package: '@mistralai/mistralai',
    versions: { from: '1.0.0', below: '3.0.0' },
    files: paths(['', 'esm/'], 'sdk/', ['agents', 'chat', 'embeddings', 'fim'], '.js'),
    module: 'mistral/instrument',
    patch: patchMistral,
    bundle: { isExportedIn: exportsAnyOf('Mistral') },
    requestPattern: / mistral-client-typescript\//,
    sentryOrigin: 'mistralai',
    childScopes: /^mistralai_sdk_tracer$/,
  }),
  // The library's own spans.
  defineLibrary({
    name: 'mistral',
    package: '@mistralai/mistralai',
    versions: { from: '2.3.0', below: '3.0.0' },
    files: ['esm/extra/observability/otel.js'],
    edit: 'mistral',
  }),
  defineLibrary({
    name: 'bedrock',
    package: '@aws-sdk/client-bedrock-runtime',
    versions: { from: '3.622.0', below: '4.0.0' },
    files: paths(['dist-es', 'dist-cjs'], '/index.js'),
    module: 'bedrock/instrument',
    patch: createBedrockPatch('BedrockRuntimeClient'),
    bundle: { isExportedIn: exportsClass('BedrockRuntimeClient', 'send') },
    requestPattern: /^(?=.* aws-sdk-js\/).* api\/bedrock-runtime#/,
    duplicates: { bedrock: {} },
    // OpenTelemetry's instrumentation, which also records Bedrock.
    childScopes: /^@opentelemetry\/instrumentation-aws-sdk$/,
  }),
  // Agents and knowledge bases.
  defineLibrary({
    name: 'bedrock',
    package: '@aws-sdk/client-bedrock-agent-runtime',
    versions: { from: '3.624.0', below: '4.0.0' },
    files: paths(['dist-es', 'dist-cjs'], '/index.js'),
    module: 'bedrock/agent/instrument',
    patch: createBedrockPatch('BedrockAgentRuntimeClient'),
    bundle: { isExportedIn: exportsClass('BedrockAgentRuntimeClient', 'send') },
  }),
  defineLibrary({
    name: 'agents',
    package: '@openai/agents-core',
    versions: { from: '0.1.0', below: '1.0.0' },
    files: paths('dist/tracing/provider', ['.js', '.mjs']),
    module: 'agents/instrument',
    patch: (exports, load) => load().instrumentAgents(exports),
    bundle: {
      isExportedIn: exportsClass('TraceProvider', 'registerProcessor'),
      patch: (exports, load) => load().instrumentLoadedAgents(exports),
    },
  }),
  // Realtime sessions over a WebSocket.
  defineLibrary({
    name: 'agents',
    package: '@openai/agents-realtime',
    versions: { from: '0.1.0', below: '1.0.0' },
    files: paths('dist/', ['openaiRealtimeWebsocket', 'realtimeSession'], ['.js', '.mjs']),
    module: 'agents/realtime/instrument',
    patch: patchRealtimeAgents,
    bundle: { isExportedIn: exportsClass('RealtimeSession', 'connect') },
  }),
  defineLibrary({
    name: 'claude-agent',
    package: '@anthropic-ai/claude-agent-sdk',
    versions: { from: '0.1.0', below: '1.0.0' },
    files: ['sdk.mjs', 'core.mjs'],
    edit: 'claude-agent',
    bundle: {
      isExportedIn: exportsAnyOf('createSdkMcpServer'),
      advice: () =>
        'leave @anthropic-ai/claude-agent-sdk out of the bundle, and start Node with --import @svc/register.',
    },
  }),
  defineLibrary({
    name: 'mcp',
    package: '@modelcontextprotocol/sdk',
    versions: { from: '1.0.0', below: '2.0.0' },
    files: paths('dist/', ['', 'esm/', 'cjs/'], ['client/index', 'experimental/tasks/client'], '.js'),
    module: 'mcp/instrument',
    patch: patchMcp,
    bundle: { isExportedIn: exportsClass('Client', 'callTool') },
    duplicates: { mcp: { spans: /\.tool$/ } },
  }),
  // Its successor, from version 2 on.
  defineLibrary({
    name: 'mcp',
    package: '@modelcontextprotocol/client',
    versions: { from: '2.0.0', below: '3.0.0' },
    files: paths('dist/index', ['.cjs', '.mjs']),
    module: 'mcp/instrument',
    patch: patchMcp,
  }),
  defineVectorStore({
    name: 'pinecone',
    package: '@pinecone-database/pinecone',
    versions: { from: '2.2.0', below: '10.0.0' },
    files: ['dist/data/index.js'],
    client: 'Index',
  }),
  defineVectorStore({
    name: 'qdrant',
    package: '@qdrant/js-client-rest',
    versions: { from: '1.10.0', below: '2.0.0' },
    files: paths('dist/', ['cjs', 'esm'], '/qdrant-client.js'),
    client: 'QdrantClient',
  }),
  defineVectorStore({
    name: 'chroma',
    package: 'chromadb',
    versions: { from: '3.0.0', below: '4.0.0' },
    files: paths('dist/', ['chromadb', 'chromadb.legacy-esm', 'cjs/chromadb'], ['.mjs', '.js', '.cjs']),
    client: 'ChromaClient',
    patchStore: patchChroma,
  }),
  defineVectorStore({
    name: 'weaviate',
    package: 'weaviate-client',
    versions: { from: '3.0.0', below: '4.0.0' },
    files: paths('dist/node/', ['cjs', 'esm'], '/collections/query/index.js'),
    patchStore: patchWeaviate,
    bundle: {
      isExportedIn: exportsAnyOf('weaviateV2'),
      advice: () => 'leave weaviate-client out of the bundle, and start Node with --import @svc/register.',
    },
  }),
  defineVectorStore({
    name: 'milvus',
    package: '@zilliz/milvus2-sdk-node',
    versions: { from: '2.4.0', below: '4.0.0' },
    files: ['dist/milvus/index.js'],
    patchStore: patchMilvus,
    bundle: { isExportedIn: exportsClass('MilvusClient', 'search') },
  }),
  defineLibrary({
    name: 'langgraph-sdk',
    package: '@langchain/langgraph-sdk',
    versions: { from: '0.1.0', below: '3.0.0' },
    files: paths('dist/client', ['.js', '.cjs']),
    module: 'langgraph-sdk/instrument',
    patch: patchLangGraphSdk,
    bundle: {
      isExportedIn: (exports) =>
        exportsAnyOf('Client')(exports) && exportsAnyOf('overrideFetchImplementation', 'RunsClient')(exports),
    },
  }),
  defineLibrary({
    name: 'langchain',
    package: '@langchain/core',
    versions: { from: '0.3.0', below: '2.0.0' },
    // The modules that runs pass through, whichever entry point the application imports.
    files: paths(
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
    ),
    module: 'langchain/instrument',
    patch: (exports, load) => load().instrumentLangChain(exports),
    whenReplaced: (exports, load) => load().suppressModelCalls(exports),
    bundle: {
      // Each module of the package is passed by itself.
      isExportedIn: exportsAnyOf(
        'CallbackManager',
        'AsyncLocalStorageProviderSingleton',
        'BaseChatModel',
        'BaseLLM',
        'BaseRetriever',
        'IterableReadableStream',
        'RunnableLambda',
        'StructuredTool',
      ),
    },
    sentryOrigin: 'langchain',
    duplicates: { langchain: { isFramework: true, patchesByItself: '@traceloop/instrumentation-langchain' } },
  }),
]
