import { ownFields } from '@svc/core/own'

/** A program that a shell command line starts. */
export interface Invocation {
  /** Variables that are set for it. */
  readonly env: Readonly<Record<string, string>>
  /** The program and its arguments. */
  readonly words: readonly string[]
}

const SEPARATORS = new Set(['&&', '||', ';', '|', '&'])

/** Programs that start the program named by their arguments. */
const WRAPPERS = new Set(['cross-env', 'cross-env-shell', 'env', 'exec', 'npx', 'tini', 'dumb-init', 'time', '--'])

/** Returns the programs that a shell command line starts. Supports the common syntax of scripts, not all of shell. */
export function invocationsIn(line: string): Invocation[] {
  const groups: string[][] = [[]]
  for (const word of wordsOf(line)) {
    if (SEPARATORS.has(word)) groups.push([])
    else groups.at(-1)?.push(word)
  }
  return groups.filter((words) => words.length > 0).map(invocationOf)
}

export function invocationOf(words: readonly string[]): Invocation {
  const env: Record<string, string> = ownFields({})
  let at = 0
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? []
    if (name) env[name] = value
    else if (!WRAPPERS.has(word)) break
  }
  return { env, words: words.slice(at) }
}

/** Splits a line into words and removes quotes. */
export function wordsOf(line: string): string[] {
  const words = line.matchAll(/&&|\|\||[;|&]|(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"';|&\\])+/g)
  return [...words].map(([word]) =>
    word.replaceAll(/"((?:\\.?|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)/gs, (_, double, single) => double ?? single),
  )
}
