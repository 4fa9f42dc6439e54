import { ChatPromptClient, type SvcPromptClient, TextPromptClient } from './prompt-client.ts'
import type { PromptFile } from './prompt-files.ts'
import type { PromptFallback } from './prompt-options.ts'

/** What is known of a prompt that was not fetched. */
type Facts = { readonly name: string } & Pick<PromptFile, 'version' | 'config' | 'labels'>

/**
 * Returns the prompt client of a file, or of the `fallback` option. No link to it is recorded, because the service may
 * have deleted this version.
 */
export function fallbackClient(
  { name, version, config, labels }: Facts,
  prompt: PromptFallback,
  reason: string,
): SvcPromptClient {
  const facts = { name, version, config, labels: [...labels], tags: [] }
  return typeof prompt === 'string'
    ? new TextPromptClient({ ...facts, prompt }, true, reason)
    : new ChatPromptClient({ ...facts, prompt: [...prompt] }, true, reason)
}
