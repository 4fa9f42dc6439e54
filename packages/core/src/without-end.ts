/** Returns a text without certain characters at its end. A pattern such as `/=+$/` takes quadratic time on many of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
