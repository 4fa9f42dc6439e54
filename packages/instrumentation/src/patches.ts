import { instrumentAgents, instrumentLoadedAgents } from './agents/instrument.ts'
import { patchRealtimeAgents } from './agents/realtime/patch.ts'
import { configureNativeSpans } from './anthropic/native.ts'
import { patchAnthropic } from './anthropic/patch.ts'
import { patchBaml } from './baml/patch.ts'
import { patchBedrock, patchBedrockAgent } from './bedrock/patch.ts'
import { patchCohere, patchCohereV1 } from './cohere/patch.ts'
import {
  patchAgentKit,
  patchBeeAi,
  patchLlamaIndex,
  patchPi,
  patchTanStack,
  patchVoltAgent,
} from './frameworks/patches.ts'
import { patchGoogleGenAI } from './google-genai/patch.ts'
import { instrumentLangChain, suppressModelCalls } from './langchain/instrument.ts'
import { patchLangGraphSdk } from './langgraph-sdk/patch.ts'
import { patchMastra } from './mastra/patch.ts'
import { patchMcp } from './mcp/patch.ts'
import { patchMistral } from './mistral/patch.ts'
import { patchOllama } from './ollama/patch.ts'
import { patchCerebras, patchGroq, patchPerplexity, patchTogether } from './openai/compatible.ts'
import { patchOpenAI } from './openai/patch.ts'
import { patchRealtime } from './openai/realtime/patch.ts'
import { patchOpenRouter } from './openrouter/patch.ts'
import { patchReplicate } from './replicate/patch.ts'
import { patchChroma, patchMilvus, patchPinecone, patchQdrant, patchWeaviate } from './vector-stores/patch.ts'
import { patchWatsonx } from './watsonx/patch.ts'

/** Patches the exports of a file, or of a package. Returns whether anything was patched that was not yet. */
type Patch = (exports: unknown) => unknown

/**
 * What patches the exports of libraries so that their calls are recorded. In the published bundle of `@svc/register` each
 * folder is a file of its own, which is loaded with the first of its libraries.
 */
export const PATCHES = {
  agents: instrumentAgents,
  'agents-loaded': instrumentLoadedAgents,
  'agents-realtime': patchRealtimeAgents,
  anthropic: patchAnthropic,
  'anthropic-native': configureNativeSpans,
  baml: patchBaml,
  bedrock: patchBedrock,
  'bedrock-agent': patchBedrockAgent,
  cerebras: patchCerebras,
  chroma: patchChroma,
  cohere: patchCohere,
  'cohere-v1': patchCohereV1,
  'google-genai': patchGoogleGenAI,
  groq: patchGroq,
  agentkit: patchAgentKit,
  beeai: patchBeeAi,
  llamaindex: patchLlamaIndex,
  tanstack: patchTanStack,
  pi: patchPi,
  langchain: instrumentLangChain,
  'langchain-models': suppressModelCalls,
  'langgraph-sdk': patchLangGraphSdk,
  mastra: patchMastra,
  mcp: patchMcp,
  milvus: patchMilvus,
  mistral: patchMistral,
  ollama: patchOllama,
  openai: patchOpenAI,
  'openai-realtime': patchRealtime,
  openrouter: patchOpenRouter,
  perplexity: patchPerplexity,
  pinecone: patchPinecone,
  qdrant: patchQdrant,
  replicate: patchReplicate,
  together: patchTogether,
  voltagent: patchVoltAgent,
  watsonx: patchWatsonx,
  weaviate: patchWeaviate,
} satisfies Readonly<Record<string, Patch>>

export type Patches = typeof PATCHES
