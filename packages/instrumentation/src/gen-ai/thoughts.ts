import type { Message } from './content.ts'
import { reasoningPart, textPart } from './parts.ts'
import { asString } from './read.ts'

/**
 * What an answer begins with where the server does not tell reasoning from it: that of open models, of Gemini's
 * compatible API, and on Bedrock, where each piece of it is between tags of its own.
 */
const THOUGHTS = /\s*<(think|thought|reasoning)>([\s\S]*?)(?:<\/\1>|$)/y

const END_TAG = /(?:^|\n)<\/think>(?=\s*(?:\n|$))/

/** Returns an answer of a model with its reasoning as a part of its own. */
export function withThoughts(message: Message): Message {
  const { parts } = message
  const at = parts.findIndex(({ type }) => type === 'text')
  const found = splitThoughts(asString(parts[at]?.content) ?? '')
  if (!found) return message
  const { thoughts, answer } = found
  return {
    ...message,
    parts: parts.toSpliced(at, 1, ...reasoningPart(thoughts), ...(answer ? [textPart(answer)] : [])),
  }
}

/** Tells the reasoning at the beginning of a text from the answer; undefined if there is none. */
export function splitThoughts(text: string): { thoughts: string; answer: string } | undefined {
  let [thoughts, end] = ['', 0]
  THOUGHTS.lastIndex = 0
  for (let found = THOUGHTS.exec(text); found; found = THOUGHTS.exec(text)) {
    thoughts += found[2]
    end = THOUGHTS.lastIndex
  }
  if (end === 0) [thoughts, end] = untilEndTag(text)
  return end === 0 ? undefined : { thoughts: thoughts.trim(), answer: text.slice(end).trimStart() }
}

/** The templates of some models (DeepSeek R1, QwQ) begin the answer with the tag: only its end is in the text. */
function untilEndTag(text: string): [thoughts: string, end: number] {
  // The search for a word costs nothing beside that for a pattern, and most answers have none.
  const found = text.includes('</think>') ? END_TAG.exec(text) : null
  if (!found) return ['', 0]
  const thoughts = text.slice(0, found.index)
  const isQuoted = thoughts.includes('<think>') || thoughts.split('```').length % 2 === 0
  return isQuoted ? ['', 0] : [thoughts, found.index + found[0].length]
}
