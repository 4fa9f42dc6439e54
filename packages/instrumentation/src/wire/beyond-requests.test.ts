import { expect, it } from 'vitest'
import { LIBRARIES } from '../libraries.ts'

/** As `same-as-patch.test` has it. */
const RETRIES = 'retries are one call, its own time-outs fail, and of a stream that is left its answer is what was read'
const NO_MODEL = 'its requests ask no model'
const AGENT = 'agents and their tools'

/**
 * What the patch of a library records that its requests do not say: why it stays. Where nothing is left, its folder goes,
 * with its range of versions.
 */
const BEYOND_REQUESTS: Readonly<Record<string, string>> = {
  openai: `${RETRIES}; runTools, parse failures, realtime sessions, batches, runs of assistants`,
  anthropic: `${RETRIES}; toolRunner, parse failures, batches, its platforms on Vertex and Foundry`,
  groq: `${RETRIES}; batches`,
  together: RETRIES,
  cerebras: RETRIES,
  perplexity: RETRIES,
  openrouter: RETRIES,
  watsonx: 'its API is not among those that are known by their requests',
  replicate: 'a prediction is created by one request, and asked for by others',
  huggingface: 'all tasks but chat completions',
  'google-genai': 'tools that it calls itself, live sessions, interactions, images, batches',
  ollama: 'the older embeddings, whose requests are like those of no other API',
  cohere: `${RETRIES}; the first version of its API`,
  ai: 'steps, tools, objects, and all providers by one form',
  mistral: `${RETRIES}; agents, completions of code, pages that are read, batches`,
  bedrock: `${RETRIES}; agents, flows, retrieval, guardrails`,
  agents: AGENT,
  mastra: AGENT,
  llamaindex: AGENT,
  agentkit: AGENT,
  beeai: AGENT,
  pi: AGENT,
  tanstack: AGENT,
  voltagent: AGENT,
  'claude-agent': 'the requests are those of another process',
  mcp: NO_MODEL,
  pinecone: NO_MODEL,
  qdrant: NO_MODEL,
  chroma: NO_MODEL,
  weaviate: NO_MODEL,
  milvus: NO_MODEL,
  'langgraph-sdk': NO_MODEL,
  langchain: 'chains, agents, tools and retrievers',
}

it('each library has a reason for its patch beside the requests that are recorded without it', () => {
  const names = new Set(LIBRARIES.map(({ name }) => name))
  const withReason = Object.keys(BEYOND_REQUESTS).filter((name) => BEYOND_REQUESTS[name] !== '')
  expect(withReason.toSorted()).toEqual([...names].toSorted())
})
