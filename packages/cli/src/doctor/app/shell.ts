/** One program that a line of shell starts. */
export interface Invocation {
  /** Variables that the line sets for it. */
  readonly env: Readonly<Record<string, string>>
  /** The program and its arguments. */
  readonly words: readonly string[]
}

const SEPARATORS = new Set(['&&', '||', ';', '|', '&'])

/** Programs that start another one and change nothing that matters here, with how many words of their own follow. */
const WRAPPERS = new Set(['cross-env', 'cross-env-shell', 'env', 'exec', 'npx', 'tini', 'dumb-init', 'time', '--'])

/** The programs that a line of shell starts, one after the other. Reads what is common in scripts, not all of shell. */
export function invocationsIn(line: string): Invocation[] {
  const groups: string[][] = [[]]
  for (const word of wordsOf(line)) {
    if (SEPARATORS.has(word)) groups.push([])
    else groups.at(-1)?.push(word)
  }
  return groups.filter((words) => words.length > 0).map(invocationOf)
}

export function invocationOf(words: readonly string[]): Invocation {
  const env: Record<string, string> = {}
  let at = 0
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? []
    if (name) env[name] = value
    else if (!WRAPPERS.has(word)) break
  }
  return { env, words: words.slice(at) }
}

/** The words of a line; quotes are taken away. */
export function wordsOf(line: string): string[] {
  const words = line.matchAll(/&&|\|\||[;|&]|(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"';|&\\])+/g)
  return [...words].map(([word]) =>
    word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  )
}
