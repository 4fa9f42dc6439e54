import type { Mistake } from '../mistake.ts'
import type { Prompt } from '../prompt.ts'

/** A parsed prompt file. */
export interface ReadFile {
  readonly prompt: Prompt
  /** Returns an error at a character of the text; for a chat prompt, of the message with this index. */
  mistakeIn(message: number, index: number, reason: string): Mistake
}
