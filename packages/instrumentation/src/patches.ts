import { instrumentAgents, instrumentLoadedAgents } from './agents/instrument.ts'
import { patchRealtimeAgents } from './agents/realtime/patch.ts'
import { configureNativeSpans } from './anthropic/native.ts'
import { patchAnthropic } from './anthropic/patch.ts'
import { wrappers as bedrockAgent } from './bedrock/agent/instrument.ts'
import { wrappers as bedrock } from './bedrock/instrument.ts'
import { patchBedrock } from './bedrock/patch.ts'
import { patchCohere, patchCohereV1 } from './cohere/patch.ts'
import { patchAgentKit, patchLlamaIndex, patchPi, patchTanStack } from './frameworks/patches.ts'
import { exportOf } from './gen-ai/read.ts'
import { patchGoogleGenAI } from './google-genai/patch.ts'
import { instrumentLangChain, suppressModelCalls } from './langchain/instrument.ts'
import { patchLangGraphSdk } from './langgraph-sdk/patch.ts'
import { patchMastra } from './mastra/patch.ts'
import { patchMcp } from './mcp/patch.ts'
import { patchMistral } from './mistral/patch.ts'
import { wrappers as ollama } from './ollama/instrument.ts'
import { createCompatibleWrappers } from './openai/compatible.ts'
import { patchOpenAI } from './openai/patch.ts'
import { patchRealtime } from './openai/realtime/patch.ts'
import { patchOpenRouter } from './openrouter/patch.ts'
import { patchMethods, type Wrappers } from './patch/patch-methods.ts'
import { patchReplicate } from './replicate/patch.ts'
import { patchClient } from './stainless/patch.ts'
import { createStoreWrappers } from './vector-stores/instrument.ts'
import { patchChroma, patchMilvus, patchWeaviate } from './vector-stores/patch.ts'
import { wrappers as watsonx } from './watsonx/instrument.ts'

/** Patches the exports of a file, or of a package. Returns whether anything was patched that was not yet. */
type Patch = (exports: unknown) => unknown

/** What patches the exports of libraries so that their calls are recorded. */
export const PATCHES = {
  agents: instrumentAgents,
  'agents-loaded': instrumentLoadedAgents,
  'agents-realtime': patchRealtimeAgents,
  anthropic: patchAnthropic,
  'anthropic-native': configureNativeSpans,
  bedrock: (exports) => patchBedrock(exports, 'BedrockRuntimeClient', bedrock),
  'bedrock-agent': (exports) => patchBedrock(exports, 'BedrockAgentRuntimeClient', bedrockAgent),
  cerebras: createCompatiblePatch('Cerebras', 'cerebras', 'cerebras'),
  chroma: (exports) => patchChroma(exports, createStoreWrappers('chroma')),
  cohere: patchCohere,
  'cohere-v1': patchCohereV1,
  'google-genai': patchGoogleGenAI,
  groq: createCompatiblePatch('Groq', 'groq', 'groq'),
  agentkit: patchAgentKit,
  llamaindex: patchLlamaIndex,
  tanstack: patchTanStack,
  pi: patchPi,
  langchain: instrumentLangChain,
  'langchain-models': suppressModelCalls,
  'langgraph-sdk': patchLangGraphSdk,
  mastra: patchMastra,
  mcp: patchMcp,
  milvus: (exports) => patchMilvus(exports, createStoreWrappers('milvus')),
  mistral: patchMistral,
  ollama: createClassPatch('Ollama', () => ollama),
  openai: patchOpenAI,
  'openai-realtime': patchRealtime,
  openrouter: patchOpenRouter,
  perplexity: createCompatiblePatch('Perplexity', 'perplexity', 'perplexity'),
  pinecone: createClassPatch('Index', () => createStoreWrappers('pinecone')),
  qdrant: createClassPatch('QdrantClient', () => createStoreWrappers('qdrant')),
  replicate: patchReplicate,
  together: createCompatiblePatch('Together', 'together', 'together_ai'),
  watsonx: createClassPatch('WatsonXAI', () => watsonx),
  weaviate: (exports) => patchWeaviate(exports, createStoreWrappers('weaviate')),
} satisfies Readonly<Record<string, Patch>>

export type Patches = typeof PATCHES

/** Patches the methods of an exported class that have a wrapper. */
function createClassPatch(client: string, createWrappers: () => Wrappers): Patch {
  return (exports) => {
    const wrappers = createWrappers()
    return patchMethods(exportOf(exports, client), Object.keys(wrappers), wrappers)
  }
}

/**
 * Patches a client that Stainless generates for an API compatible with OpenAI's.
 *
 * @param client the name of the class that is exported
 * @param name of the library
 * @param provider `gen_ai.provider.name`
 */
function createCompatiblePatch(client: string, name: string, provider: string): Patch {
  return (exports) => patchClient(exportOf(exports, client), createCompatibleWrappers(name, provider))
}
