import { ChatPromptClient, type SvcPromptClient, TextPromptClient } from './prompt-client.ts'
import type { GetPromptOptions, PromptFallback, PromptKind } from './prompt-options.ts'

/** Returns the prompt client of the `fallback` option. */
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
