/**
 * A tree as text: what is below stands two spaces deeper, in alphabetical order. Which of two siblings was first, spans
 * do not say: their clocks are up to a millisecond apart, and those that wait for a user arrive late.
 */
export function tree(top: string, ...below: readonly string[]): string {
  const lines = [...below].sort().flatMap((each) => each.split('\n'))
  return [top, ...lines.map((line) => `  ${line}`)].join('\n')
}
