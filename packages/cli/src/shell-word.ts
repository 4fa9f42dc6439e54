/**
 * Returns a name as one word of a command that users paste into a shell. It may be anybody's: inside of double quotes a
 * shell runs `$(…)`.
 */
export function shellWord(name: string): string {
  return /["$`\\!]/.test(name) ? `'${name.replaceAll("'", "'\\''")}'` : `"${name}"`
}

/** The same without quotes, where no shell needs them: `--port=3000`. */
export const plainWord = (word: string): string => (/^[\w.:/@=+-]+$/.test(word) ? word : shellWord(word))
