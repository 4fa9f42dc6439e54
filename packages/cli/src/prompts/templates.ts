import type { FilePrompt } from './folder/folder.ts'
import { needsOf } from './module/variables.ts'

/** Returns the template errors of these prompts, with their positions. */
export function templateMistakes(files: Iterable<FilePrompt>): string[] {
  return [...files].flatMap(({ prompt, mistakeIn }) =>
    needsOf(prompt.content).errors.flatMap(({ message, index, reason }) => mistakeIn(message, index, reason).lines),
  )
}
