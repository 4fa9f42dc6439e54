import { redactKeys } from '@svc/core/foreign-text'

/** What a terminal does not show as it is, or obeys: control, bidirectional and zero-width characters, ends of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Returns a name as one word of a command that users paste into a shell, without keys. It may be anybody's: inside of double
 * quotes a shell runs `$(…)`, and a line break looks like the end of the command.
 */
export function shellWord(text: string): string {
  const name = redactKeys(text)
  if (name.search(UNPRINTABLE) >= 0) return `$'${name.replace(/['\\]/g, '\\$&').replace(UNPRINTABLE, codeOf)}'`
  return /["$`\\!]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : `"${name}"`
}

/** `\U0000000a`, as bash and zsh read it between `$'` and `'`. */
const codeOf = (character: string): string => `\\U${character.codePointAt(0)?.toString(16).padStart(8, '0')}`

/** The same without quotes, where no shell needs them: `--port=3000`. */
export const plainWord = (word: string): string => (/^[\w.:/@=+-]+$/.test(word) ? word : shellWord(word))
