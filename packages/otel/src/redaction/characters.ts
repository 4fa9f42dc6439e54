// Apart from what secrets need: on the edge that is there from the start.

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Whether a character is one of `\w`. */
export const isWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x5f

export function digitsIn(text: string): number {
  let digits = 0
  for (let at = 0; at < text.length; at++) if (isDigit(text.charCodeAt(at))) digits += 1
  return digits
}

export const digitsOf = (text: string): string => text.replace(/\D+/g, '')
