import { own } from './own.ts'

/** Prefixes of provider names in the AI SDK → `gen_ai.provider.name`. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'google.vertex': 'gcp.vertex_ai',
  'google-vertex': 'gcp.vertex_ai',
  google: 'gcp.gemini',
  'amazon-bedrock': 'aws.bedrock',
  bedrock: 'aws.bedrock',
  'azure-openai': 'azure.ai.openai',
  azure: 'azure.ai.inference',
  anthropic: 'anthropic',
  openai: 'openai',
  mistral: 'mistral_ai',
  cohere: 'cohere',
  groq: 'groq',
  deepseek: 'deepseek',
  perplexity: 'perplexity',
  xai: 'x_ai',
}

// The first alternative that matches wins, so longer names come first.
const KNOWN = new RegExp(`^(${Object.keys(PROVIDERS).join('|').replaceAll('.', '\\.')})(?=[.-]|$)`, 'i')

/** `openai.responses` → `openai`; an unknown provider keeps its name. */
export function providerName(provider: unknown): unknown {
  if (typeof provider !== 'string') return provider
  const known = KNOWN.exec(provider)?.[1]?.toLowerCase()
  return (known !== undefined && own(PROVIDERS, known)) || provider
}
