import { paths } from './hook/target.ts'
import { TASKS as HUGGING_FACE } from './huggingface/edit.ts'
import { defineCompatible, exportsAnyOf, exportsClass, type Library, STAINLESS } from './library.ts'

export type { Duplicate } from './library.ts'

/**
 * The supported libraries. Everything that depends on the library reads this table: the preload's hook, `instrument()`,
 * the catalogue, the rules for duplicates and the docs.
 */
export const LIBRARIES: readonly Library[] = [
  {
    name: 'openai',
    package: 'openai',
    versions: { from: '4.19.0', below: '8.0.0' },
    files: [...STAINLESS, ...paths('helpers/responses-tool-runner', ['.js', '.mjs'])],
    patch: 'openai',
    bundle: { isExportedIn: exportsClass('OpenAI', 'post') },
    // Minified class names on an unknown host are most likely OpenAI's.
    requestPattern:
      /^(?!api\.(?:anthropic|groq|together|cerebras|perplexity)\.)\S+ (?:\w*OpenAI|[\w$]{1,3})\/JS (?!.* anthropic-version$)/,
    sentryOrigin: 'openai',
    duplicates: {
      openai: { spans: /^(?!image_variation )/ },
      llamaindex: { spans: /^chat /, isFramework: true },
    },
  },
  // Realtime sessions over a WebSocket, which the package's entry point does not export.
  {
    name: 'openai',
    package: 'openai',
    versions: { from: '4.19.0', below: '8.0.0' },
    files: paths(['', 'beta/'], 'realtime/', ['ws', 'websocket'], ['.js', '.mjs']),
    patch: 'openai-realtime',
    bundle: {
      isExportedIn: (exports) =>
        ['OpenAIRealtimeWS', 'OpenAIRealtimeWebSocket'].some((name) => exportsClass(name, '_emit')(exports)),
    },
  },
  {
    name: 'anthropic',
    package: '@anthropic-ai/sdk',
    versions: { from: '0.60.0', below: '2.0.0' },
    files: STAINLESS,
    patch: 'anthropic',
    whenReplaced: 'anthropic-native',
    bundle: {
      // The second is extended for other platforms: `AnthropicVertex`.
      isExportedIn: (exports) => ['Anthropic', 'BaseAnthropic'].some((name) => exportsClass(name, 'post')(exports)),
    },
    requestPattern: /^\S+ (?:\w*Anthropic\w*\/JS |.* anthropic-version$)/,
    sentryOrigin: 'anthropic',
    duplicates: { anthropic: { spans: /^(?!text_completion )/ } },
    childScopes: /^com\.anthropic\.sdk\.typescript(\..+)?$/,
    ownSpans: /^anthropic\.messages\.(create|batches\..+)$/,
  },
  // The library's own spans, which some clients enable.
  {
    name: 'anthropic',
    package: '@anthropic-ai/sdk',
    versions: { from: '1.0.0', below: '2.0.0' },
    files: paths('internal/tracing', ['.js', '.mjs']),
    edit: 'anthropic',
  },
  defineCompatible({
    name: 'groq',
    package: 'groq-sdk',
    versions: { from: '0.5.0', below: '2.0.0' },
    client: 'Groq',
    host: 'api.groq.com',
    sentryOrigin: 'groq',
  }),
  defineCompatible({
    name: 'together',
    package: 'together-ai',
    versions: { from: '0.6.0', below: '1.0.0' },
    client: 'Together',
    host: 'api.together.xyz',
    sentryOrigin: 'together_ai',
    duplicates: { 'together-ai': { package: '@traceloop/instrumentation-together' } },
  }),
  defineCompatible({
    name: 'cerebras',
    package: '@cerebras/cerebras_cloud_sdk',
    versions: { from: '1.3.0', below: '2.0.0' },
    client: 'Cerebras',
    host: 'api.cerebras.ai',
  }),
  defineCompatible({
    name: 'perplexity',
    package: '@perplexity-ai/perplexity_ai',
    versions: { from: '0.16.0', below: '1.0.0' },
    client: 'Perplexity',
    host: 'api.perplexity.ai',
    files: [...STAINLESS, 'dist/client.js'],
  }),
  {
    name: 'openrouter',
    package: '@openrouter/sdk',
    versions: { from: '0.1.0', below: '2.0.0' },
    files: paths('esm/sdk/', ['chat', 'embeddings'], '.js'),
    patch: 'openrouter',
    bundle: { isExportedIn: exportsAnyOf('OpenRouter') },
    requestPattern: / @openrouter\/sdk$/,
  },
  {
    name: 'watsonx',
    package: '@ibm-cloud/watsonx-ai',
    versions: { from: '1.3.0', below: '2.0.0' },
    files: ['vml_v1.js', 'vml_v1.mjs', 'dist/watsonx-ai-ml/vml_v1.js'],
    patch: 'watsonx',
    bundle: { isExportedIn: exportsClass('WatsonXAI', 'generateText') },
    requestPattern: / ibm-cloud-watsonx-ai\//,
  },
  {
    name: 'replicate',
    package: 'replicate',
    versions: { from: '0.29.0', below: '2.0.0' },
    files: ['index.js', 'lib/predictions.js'],
    patch: 'replicate',
    bundle: { isExportedIn: exportsAnyOf('parseProgressFromLogs') },
    requestPattern: / replicate-javascript\//,
  },
  {
    name: 'huggingface',
    package: '@huggingface/inference',
    versions: { from: '2.8.0', below: '5.0.0' },
    files: [
      ...paths('dist/index', ['.js', '.cjs']),
      ...paths('dist/', ['esm', 'commonjs'], '/tasks/nlp/', HUGGING_FACE, '.js'),
    ],
    edit: 'huggingface',
    requestPattern: / @huggingface\/inference\//,
    bundle: {
      isExportedIn: exportsAnyOf('HfInference'),
      advice: () => 'leave @huggingface/inference out of the bundle, and start Node with --import @svc/register.',
    },
  },
  {
    name: 'google-genai',
    package: '@google/genai',
    versions: { from: '1.0.0', below: '4.0.0' },
    files: paths('dist/', ['', 'node/', 'web/'], 'index', ['.cjs', '.mjs']),
    patch: 'google-genai',
    bundle: { isExportedIn: exportsClass('Models', 'generateContentInternal') },
    requestPattern: / google-genai-sdk\//,
    sentryOrigin: 'google_genai',
  },
  {
    name: 'ollama',
    package: 'ollama',
    versions: { from: '0.5.0', below: '1.0.0' },
    files: paths('dist/', ['index', 'browser'], ['.cjs', '.mjs']),
    patch: 'ollama',
    bundle: { isExportedIn: exportsClass('Ollama', 'chat') },
    requestPattern: / ollama-js\//,
  },
  {
    name: 'cohere',
    package: 'cohere-ai',
    versions: { from: '7.14.0', below: '9.0.0' },
    files: ['api/resources/v2/client/Client.js'],
    patch: 'cohere',
    bundle: { isExportedIn: exportsAnyOf('CohereClientV2') },
    requestPattern: / cohere-ai\//,
    duplicates: { cohere: { spans: /^cohere\.(chat|completion)$/ } },
  },
  // Version 1 of its API.
  {
    name: 'cohere',
    package: 'cohere-ai',
    versions: { from: '7.14.0', below: '9.0.0' },
    files: ['Client.js'],
    patch: 'cohere-v1',
    bundle: { isExportedIn: exportsAnyOf('CohereClientV2') },
  },
  {
    name: 'ai',
    package: 'ai',
    versions: { from: '5.0.0', below: '8.0.0' },
    files: paths('dist/index', ['.js', '.mjs']),
    // Version 7 has a registry, see `ai-sdk/adopt.ts`; only its streams need an edit of the source.
    edit: 'ai-sdk',
    // Version 7 is reached through its registry in a bundle as well.
    requestPattern: / ai\/[56]\./,
    isFramework: true,
    sentryOrigin: 'vercelai',
    bundle: {
      isExportedIn: exportsAnyOf('registerTelemetry', 'generateText', 'streamText'),
      // The preload reaches version 7 in a bundle, too.
      advice: (exports) =>
        exportsAnyOf('registerTelemetry')(exports)
          ? undefined
          : 'ai 5 and 6 record a bundled call with experimental_telemetry: { isEnabled: true } alone.',
    },
  },
  {
    name: 'mistral',
    package: '@mistralai/mistralai',
    versions: { from: '1.0.0', below: '3.0.0' },
    files: paths(
      ['', 'esm/'],
      'sdk/',
      ['agents', 'batchjobs', 'chat', 'embeddings', 'files', 'fim', 'jobs', 'mistraljobs'],
      '.js',
    ),
    patch: 'mistral',
    bundle: { isExportedIn: exportsAnyOf('Mistral') },
    requestPattern: / mistral-client-typescript\//,
    sentryOrigin: 'mistralai',
    childScopes: /^mistralai_sdk_tracer$/,
  },
  // The library's own spans.
  {
    name: 'mistral',
    package: '@mistralai/mistralai',
    versions: { from: '2.3.0', below: '3.0.0' },
    files: ['esm/extra/observability/otel.js'],
    edit: 'mistral',
  },
  {
    name: 'bedrock',
    package: '@aws-sdk/client-bedrock-runtime',
    versions: { from: '3.622.0', below: '4.0.0' },
    files: paths(['dist-es', 'dist-cjs'], '/index.js'),
    patch: 'bedrock',
    bundle: { isExportedIn: exportsClass('BedrockRuntimeClient', 'send') },
    requestPattern: /^(?=.* aws-sdk-js\/).* api\/bedrock-runtime#/,
    duplicates: { bedrock: {} },
    // OpenTelemetry's instrumentation, which also records Bedrock.
    childScopes: /^@opentelemetry\/instrumentation-aws-sdk$/,
  },
  // Agents and knowledge bases.
  {
    name: 'bedrock',
    package: '@aws-sdk/client-bedrock-agent-runtime',
    versions: { from: '3.624.0', below: '4.0.0' },
    files: paths(['dist-es', 'dist-cjs'], '/index.js'),
    patch: 'bedrock-agent',
    bundle: { isExportedIn: exportsClass('BedrockAgentRuntimeClient', 'send') },
  },
  {
    name: 'agents',
    package: '@openai/agents-core',
    versions: { from: '0.1.0', below: '1.0.0' },
    files: paths('dist/tracing/provider', ['.js', '.mjs']),
    patch: 'agents',
    bundle: {
      isExportedIn: exportsClass('TraceProvider', 'registerProcessor'),
      patch: 'agents-loaded',
    },
  },
  // Realtime sessions over a WebSocket.
  {
    name: 'agents',
    package: '@openai/agents-realtime',
    versions: { from: '0.1.0', below: '1.0.0' },
    files: paths('dist/', ['openaiRealtimeWebsocket', 'realtimeSession'], ['.js', '.mjs']),
    patch: 'agents-realtime',
    bundle: { isExportedIn: exportsClass('RealtimeSession', 'connect') },
  },
  {
    name: 'mastra',
    package: '@mastra/core',
    versions: { from: '1.0.0', below: '2.0.0' },
    files: paths('dist/', ['agent', 'workflows'], '/index', ['.js', '.cjs']),
    patch: 'mastra',
    bundle: { isExportedIn: exportsClass('Agent', 'resumeGenerate') },
  },
  {
    name: 'llamaindex',
    package: '@llamaindex/workflow',
    versions: { from: '1.0.0', below: '2.0.0' },
    files: paths('dist/index', ['.js', '.cjs']),
    patch: 'llamaindex',
    bundle: { isExportedIn: exportsClass('AgentWorkflow', 'callTool') },
  },
  {
    name: 'agentkit',
    package: '@inngest/agent-kit',
    versions: { from: '0.8.0', below: '1.0.0' },
    files: paths('dist/index', ['.js', '.cjs']),
    patch: 'agentkit',
    bundle: { isExportedIn: exportsClass('Agent', 'invokeTools') },
  },
  {
    name: 'beeai',
    package: 'beeai-framework',
    versions: { from: '0.1.0', below: '1.0.0' },
    files: paths('dist/context', ['.js', '.cjs']),
    patch: 'beeai',
  },
  ...['@mariozechner/pi-agent-core', '@earendil-works/pi-agent-core'].map(
    (name): Library => ({
      name: 'pi',
      package: name,
      versions: { from: '0.50.0', below: '2.0.0' },
      files: ['dist/agent.js'],
      patch: 'pi',
      bundle: { isExportedIn: exportsClass('Agent', 'createContextSnapshot') },
    }),
  ),
  {
    name: 'tanstack',
    package: '@tanstack/ai',
    versions: { from: '0.30.0', below: '2.0.0' },
    files: ['dist/esm/activities/chat/index.js'],
    edit: 'tanstack',
    patch: 'tanstack',
  },
  {
    name: 'voltagent',
    package: '@voltagent/core',
    versions: { from: '2.0.0', below: '3.0.0' },
    files: paths('dist/index', ['.js', '.mjs']),
    patch: 'voltagent',
    bundle: { isExportedIn: exportsClass('Agent', 'generateObject') },
  },
  {
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
  },
  {
    name: 'mcp',
    package: '@modelcontextprotocol/sdk',
    versions: { from: '1.0.0', below: '2.0.0' },
    files: paths('dist/', ['', 'esm/', 'cjs/'], ['client/index', 'server/index', 'experimental/tasks/client'], '.js'),
    patch: 'mcp',
    bundle: {
      isExportedIn: (exports) =>
        exportsClass('Client', 'callTool')(exports) || exportsClass('Server', 'getClientVersion')(exports),
    },
    duplicates: { mcp: { spans: /\.tool$/ } },
  },
  // Its successors, from version 2 on.
  {
    name: 'mcp',
    package: '@modelcontextprotocol/client',
    versions: { from: '2.0.0', below: '3.0.0' },
    files: paths('dist/index', ['.cjs', '.mjs']),
    patch: 'mcp',
  },
  {
    name: 'mcp',
    package: '@modelcontextprotocol/server',
    versions: { from: '2.0.0', below: '3.0.0' },
    files: paths('dist/index', ['.cjs', '.mjs']),
    patch: 'mcp',
    duplicates: { 'mcp-handler': { isFramework: true, spans: /^(?:tools\/call|prompts\/get)/ } },
  },
  {
    name: 'mcp',
    package: '@modelcontextprotocol/ext-tasks',
    versions: { from: '0.2.0', below: '1.0.0' },
    files: ['dist/client/sdk-client-adapter.js'],
    patch: 'mcp',
  },
  // A client without a class that is exported.
  {
    name: 'mcp',
    package: '@ai-sdk/mcp',
    versions: { from: '0.0.4', below: '3.0.0' },
    files: paths('dist/index', ['.js', '.mjs']),
    edit: 'mcp',
  },
  {
    name: 'pinecone',
    package: '@pinecone-database/pinecone',
    versions: { from: '2.2.0', below: '10.0.0' },
    files: ['dist/data/index.js'],
    patch: 'pinecone',
    bundle: { isExportedIn: exportsClass('Index', 'query') },
  },
  {
    name: 'qdrant',
    package: '@qdrant/js-client-rest',
    versions: { from: '1.10.0', below: '2.0.0' },
    files: paths('dist/', ['cjs', 'esm'], '/qdrant-client.js'),
    patch: 'qdrant',
    bundle: { isExportedIn: exportsClass('QdrantClient', 'query') },
  },
  {
    name: 'chroma',
    package: 'chromadb',
    versions: { from: '3.0.0', below: '4.0.0' },
    files: paths('dist/', ['chromadb', 'chromadb.legacy-esm', 'cjs/chromadb'], ['.mjs', '.js', '.cjs']),
    patch: 'chroma',
    bundle: { isExportedIn: exportsClass('ChromaClient', 'getCollection') },
  },
  {
    name: 'weaviate',
    package: 'weaviate-client',
    versions: { from: '3.0.0', below: '4.0.0' },
    files: paths('dist/node/', ['cjs', 'esm'], '/collections/query/index.js'),
    patch: 'weaviate',
    bundle: {
      isExportedIn: exportsAnyOf('weaviateV2'),
      advice: () => 'leave weaviate-client out of the bundle, and start Node with --import @svc/register.',
    },
  },
  {
    name: 'milvus',
    package: '@zilliz/milvus2-sdk-node',
    versions: { from: '2.4.0', below: '4.0.0' },
    files: ['dist/milvus/index.js'],
    patch: 'milvus',
    bundle: { isExportedIn: exportsClass('MilvusClient', 'search') },
  },
  {
    name: 'langgraph-sdk',
    package: '@langchain/langgraph-sdk',
    versions: { from: '0.1.0', below: '3.0.0' },
    files: paths('dist/client', ['.js', '.cjs']),
    patch: 'langgraph-sdk',
    bundle: {
      isExportedIn: (exports) =>
        exportsAnyOf('Client')(exports) && exportsAnyOf('overrideFetchImplementation', 'RunsClient')(exports),
    },
  },
  {
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
    patch: 'langchain',
    whenReplaced: 'langchain-models',
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
  },
]
