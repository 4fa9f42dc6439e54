/** What is to be hidden in a text. */
export interface Occurrence {
  readonly start: number
  readonly end: number
  /** The same for every way to write it, so that it has the same mark. */
  readonly value: string
  /** Where a finder finds several. */
  readonly kind?: string
}

/** A way to write a number. Its only group is what stands before the match. */
export interface NumberForm {
  readonly kind: string
  /** Source of a pattern. */
  readonly form?: string
  /** That behind the first digit of a run of them. */
  readonly inRun?: string
  /** Returns how many characters of it are hidden, and what they say; nothing if it is another number. */
  readonly read: (
    written: string,
    text: string,
    start: number,
  ) => { readonly length: number; readonly value: string } | undefined
}

/** Finds what is to be hidden, in any order. Takes time that grows no faster than the text. */
export type Finder = (text: string) => readonly Occurrence[]

/** Source of a pattern: an escape of JSON ends here, whose letter is no part of the word behind it. */
export const AFTER_ESCAPE = String.raw`(?<=\\(?:[nrtbf]|u[\da-fA-F]{4}))`

/** Returns what a match is about: the whole of it, a part, or nothing. */
type Reader = (match: RegExpExecArray, text: string) => Occurrence | undefined

/** Global patterns, each with what its matches are about. */
export type Patterns = readonly (readonly [pattern: RegExp, read: Reader])[]

/** Returns what patterns find. Most texts are short, so that `matchAll`, which copies its pattern, would take most of the time. */
export function finder(patterns: Patterns): Finder {
  return (text) => {
    const found: Occurrence[] = []
    for (const [pattern, read] of patterns) {
      pattern.lastIndex = 0
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        if (match[0] === '') pattern.lastIndex += 1
        else {
          const one = read(match, text)
          if (one) found.push(one)
        }
      }
    }
    return found
  }
}

/** The whole match. @param value what it says, written the same way each time */
export function wholeOf({ 0: whole, index }: Pick<RegExpExecArray, 0 | 'index'>, value: string = whole): Occurrence {
  return { start: index, end: index + whole.length, value }
}

export const whole: Reader = (match) => wholeOf(match)
