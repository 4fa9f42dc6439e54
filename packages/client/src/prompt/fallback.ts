import { ChatPromptClient, type SvcPromptClient, TextPromptClient } from './prompt-client.ts'
import type { GetPromptOptions, PromptFallback, PromptKind } from './prompt-options.ts'

/** A prompt made of what the application gave for the case that there is none. */
export function fallbackClient(
  name: string,
  fallback: PromptFallback,
  { version = 0, label }: GetPromptOptions<PromptKind>,
): SvcPromptClient {
  const facts = { name, version, config: {}, labels: label === undefined ? [] : [label], tags: [] }
  return typeof fallback === 'string'
    ? new TextPromptClient({ ...facts, prompt: fallback }, true)
    : new ChatPromptClient({ ...facts, prompt: [...fallback] }, true)
}
