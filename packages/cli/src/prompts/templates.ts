import type { FilePrompt } from './folder/folder.ts'
import { needsOf } from './module/variables.ts'

/** What stands in the way of compiling these prompts, each with its place. */
export function templateMistakes(files: Iterable<FilePrompt>): string[] {
  return [...files].flatMap(({ prompt, mistakeIn }) =>
    needsOf(prompt.content).errors.flatMap(({ message, index, says }) => mistakeIn(message, index, says).lines),
  )
}
