import type { Attributes } from '@opentelemetry/api'
import { GEN_AI, GENERAL } from '@svc/core/attributes'
import { own } from '@svc/core/own'
import { asRecord, asString } from './read.ts'

/** Providers by host, including subdomains, whose API is compatible with that of another provider. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'openai.azure.com': 'azure.ai.openai',
  'openai.azure.us': 'azure.ai.openai',
  'cognitiveservices.azure.com': 'azure.ai.openai',
  'services.ai.azure.com': 'azure.ai.inference',
  'inference.ai.azure.com': 'azure.ai.inference',
  'api.openai.com': 'openai',
  'api.x.ai': 'x_ai',
  'api.groq.com': 'groq',
  'api.deepseek.com': 'deepseek',
  'api.mistral.ai': 'mistral_ai',
  'api.moonshot.ai': 'moonshot_ai',
  'api.moonshot.cn': 'moonshot_ai',
  'api.perplexity.ai': 'perplexity',
  'api.cohere.ai': 'cohere',
  'api.cohere.com': 'cohere',
  'api.anthropic.com': 'anthropic',
  'api.together.xyz': 'together_ai',
  'api.together.ai': 'together_ai',
  'openrouter.ai': 'openrouter',
  'api.fireworks.ai': 'fireworks_ai',
  'generativelanguage.googleapis.com': 'gcp.gemini',
  'aiplatform.googleapis.com': 'gcp.vertex_ai',
  // Multi-region endpoints: aiplatform.eu.rep.googleapis.com.
  'rep.googleapis.com': 'gcp.vertex_ai',
  'ml.cloud.ibm.com': 'ibm.watsonx.ai',
  'amazonaws.com': 'aws.bedrock',
}

/** Providers by client class, for clients that can be pointed at any host. */
const CLIENTS: Readonly<Record<string, string>> = {
  AzureOpenAI: 'azure.ai.openai',
  BedrockOpenAI: 'aws.bedrock',
  AnthropicBedrock: 'aws.bedrock',
  AnthropicBedrockMantle: 'aws.bedrock',
  AnthropicFoundry: 'azure.ai.inference',
  AnthropicVertex: 'gcp.vertex_ai',
  // Cohere's.
  BedrockClient: 'aws.bedrock',
}

interface CachedServer {
  readonly baseURL: unknown
  readonly attributes: Attributes
}
const serverCache = new WeakMap<object, CachedServer>()

export function serverAttributes(client: object, provider: string, baseURL = asRecord(client).baseURL): Attributes {
  const cached = serverCache.get(client)
  if (cached && cached.baseURL === baseURL) return cached.attributes
  const attributes = readServer(asString(baseURL), provider, own(CLIENTS, client.constructor?.name ?? ''))
  serverCache.set(client, { baseURL, attributes })
  return attributes
}

/**
 * @param provider unless the address implies another one
 * @param byClass the provider that the client's class implies
 */
export function readServer(baseURL: string | undefined, provider: string, byClass?: string): Attributes {
  const url = parseUrl(baseURL)
  const attributes = { [GEN_AI.PROVIDER_NAME]: byClass ?? (url && providerAt(url.hostname)) ?? provider }
  if (!url) return attributes
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443)
  return { ...attributes, [GENERAL.SERVER_ADDRESS]: url.hostname, [GENERAL.SERVER_PORT]: port }
}

/** Returns the provider that serves models at a host, if it is known. */
export function providerAt(host: string): string | undefined {
  // openai.azure.com, azure.com, com: the longest known suffix wins. Regional Vertex hosts begin with their region.
  const labels = host.replace(/^[a-z0-9-]+-(?=aiplatform\.)/, '').split('.')
  return labels.map((_, index) => own(PROVIDERS, labels.slice(index).join('.'))).find((name) => name !== undefined)
}

function parseUrl(url: string | undefined): URL | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url) : undefined
}
