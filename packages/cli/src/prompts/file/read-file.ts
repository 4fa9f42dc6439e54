import type { Mistake } from '../failure.ts'
import type { Prompt } from '../prompt.ts'

/** A prompt as its file has it. */
export interface ReadFile {
  readonly prompt: Prompt
  /** A mistake at a character of the text; of a chat, of the message at that place in the list. */
  mistakeIn(message: number, index: number, says: string): Mistake
}
