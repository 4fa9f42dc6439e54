import { foreignText } from '@svc/core/foreign-text'

/**
 * Returns a name as one word of a command that users paste into a shell. It may be anybody's: inside of double quotes a
 * shell runs `$(…)`, and a line break looks like the end of the command.
 */
export function shellWord(text: string): string {
  const name = foreignText(text, Number.POSITIVE_INFINITY)
  return /["$`\\!]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : `"${name}"`
}

/** The same without quotes, where no shell needs them: `--port=3000`. */
export const plainWord = (word: string): string => (/^[\w.:/@=+-]+$/.test(word) ? word : shellWord(word))
