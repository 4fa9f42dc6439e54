/** Returns whether at most two changes of a character, typos, make one word of the other; in short words one. */
export function isNear(word: string, other: string): boolean {
  return distance(word, other) <= (Math.min(word.length, other.length) < 6 ? 1 : 2)
}

/** Counts the characters that are left out, added, changed or exchanged with their neighbour. */
function distance(word: string, other: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= word.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const [here, there] = [word[row - 1], other[column - 1]]
      const cost = [next[column - 1], last?.[column]].map((each) => (each ?? 0) + 1)
      cost.push((last?.[column - 1] ?? 0) + (here === there ? 0 : 1))
      const isExchanged = row > 1 && column > 1 && here === other[column - 2] && word[row - 2] === there
      if (isExchanged) cost.push((before?.[column - 2] ?? 0) + 1)
      next.push(Math.min(...cost))
    }
    ;[before, last] = [last, next]
  }
  return last?.[other.length] ?? 0
}
