import type { RequestContent } from './content.ts'
import { textPart } from './parts.ts'
import { asArray } from './read.ts'

/** Texts to a model that has no roles. A list of numbers is text already cut into tokens: its length says enough. */
export function textQuestion(input: unknown): RequestContent {
  const texts = isTokens(input) ? [input] : asArray(input)
  if (texts.length === 0) return {}
  return {
    messages: texts.map((text) => ({
      role: 'user',
      parts: [isTokens(text) ? { type: 'tokens', count: text.length } : textPart(text)],
    })),
  }
}

function isTokens(input: unknown): input is readonly number[] {
  return Array.isArray(input) && typeof input[0] === 'number'
}
