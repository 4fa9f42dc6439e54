import { labelsOf, type StoredPrompt } from '../../store/prompt.ts'
import { isoDate } from '../known.ts'

/** `Prompt` (appendix A): a version of it, among all versions. */
export function promptShape(stored: StoredPrompt, versions: readonly StoredPrompt[]) {
  const { name, version, type, prompt, config, tags, commitMessage, createdAt, updatedAt } = stored
  return {
    name,
    version,
    type,
    prompt,
    config,
    labels: labelsOf(stored, versions),
    tags,
    commitMessage,
    createdAt: isoDate(createdAt),
    updatedAt: isoDate(updatedAt),
  }
}
