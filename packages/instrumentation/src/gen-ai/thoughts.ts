import type { Message } from './content.ts'
import { reasoningPart, textPart } from './parts.ts'
import { asString } from './read.ts'

/**
 * What an answer begins with where the server does not tell reasoning from it: that of open models, of Gemini's
 * compatible API, and on Bedrock, where each piece of it is between tags of its own.
 */
const THOUGHTS = /\s*<(think|thought|reasoning)>([\s\S]*?)(?:<\/\1>|$)/y

/** Returns an answer of a model with its reasoning as a part of its own. */
export function withThoughts(message: Message): Message {
  const { parts } = message
  const at = parts.findIndex(({ type }) => type === 'text')
  const text = asString(parts[at]?.content) ?? ''
  let [thoughts, end] = ['', 0]
  THOUGHTS.lastIndex = 0
  for (let found = THOUGHTS.exec(text); found; found = THOUGHTS.exec(text)) {
    thoughts += found[2]
    end = THOUGHTS.lastIndex
  }
  if (end === 0) return message
  const answer = text.slice(end).trimStart()
  const answerParts = [...reasoningPart(thoughts.trim()), ...(answer ? [textPart(answer)] : [])]
  return { ...message, parts: parts.toSpliced(at, 1, ...answerParts) }
}
