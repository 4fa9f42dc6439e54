import type { Attributes } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import * as GEN_AI from '@svc/core/attributes/gen-ai'
import * as ATTRIBUTE from '@svc/core/attributes/service'
import { boundedText } from '@svc/core/bounded-json'
import { isFields, parsedJson } from '@svc/core/json'
import { CAPACITY, type FindRoot, halvesOf } from '../root-io/root-io.ts'
import type { ReadableSpan } from '../sdk.ts'

/** Longest JSON text that is read: about ten milliseconds. */
const LIMIT = 1_000_000
const AI_SDK_PROMPT = 'ai.prompt.messages'
/** The attributes of input and output of a model call. The AI SDK has either a text or an object. */
const CONTENT: readonly (readonly [input: string, ...outputs: string[]])[] = [
  [ATTRIBUTE.OBSERVATION_INPUT, ATTRIBUTE.OBSERVATION_OUTPUT],
  [GEN_AI.INPUT_MESSAGES, GEN_AI.OUTPUT_MESSAGES],
  [AI_SDK_PROMPT, 'ai.response.text', 'ai.response.object'],
]

/** What is kept of the calls below an open root. */
interface Calls {
  /** The call that the question is from, by order of start. */
  order: number
  question: string
  /** As it was recorded: most are replaced by a later one. */
  output: string
}

/** By root, those first that have waited longest. */
const kept = new Map<ReadableSpan, Calls>()

/**
 * What `RootIo` does on a server, in a fraction of its bytes: gives a root that filled nothing itself the first question
 * and the last answer of the model calls below it. A conversation is read as a whole, and one without a text shows
 * nothing.
 *
 * @param findRoot undefined for a span that is dropped
 * @returns what is to be shown of a root
 */
export function rootIo(span: ReadableSpan, findRoot: FindRoot | undefined): Attributes | undefined {
  const content = findRoot && contentOf(span.attributes)
  const root = content && findRoot(span)
  if (root) {
    const calls = kept.get(root.span) ?? { order: Number.POSITIVE_INFINITY, question: '', output: '' }
    kept.set(root.span, calls)
    if (content.input !== undefined && root.order < calls.order) {
      calls.order = root.order
      // Not the conversation: what open roots hold of their inputs is as long as a question.
      calls.question = textIn(content.input, 'user') ?? ''
    }
    calls.output = content.output ?? calls.output
    makeRoom()
  }
  const calls = kept.get(span)
  if (!calls) return undefined
  kept.delete(span)
  const filled = halvesOf(span)
  const answer = filled.output ? undefined : textIn(calls.output)
  const shown: Attributes = {}
  if (calls.question && !filled.input) shown[ATTRIBUTE.OBSERVATION_INPUT] = calls.question
  if (answer) shown[ATTRIBUTE.OBSERVATION_OUTPUT] = answer
  return shown
}

/** Beyond {@link CAPACITY}, the roots that have waited longest go without. */
function makeRoom(): void {
  let size = 0
  for (const [root, { question, output }] of [...kept].reverse()) {
    // So that roots that never end are not many.
    size += 10_000 + question.length + output.length
    if (size > CAPACITY) kept.delete(root)
  }
}

function contentOf(
  attributes: Attributes,
): { readonly input: unknown; readonly output: string | undefined } | undefined {
  const operation = String(attributes[GEN_AI.OPERATION_NAME])
  const isCall = /^(chat|text_completion|generate_content)$/.test(operation) || attributes[AI_SDK_PROMPT] !== undefined
  const { [ATTRIBUTE.OBSERVATION_TYPE]: type = isCall && 'generation' } = attributes
  const read = (name: string) => attributes[name]
  const names = type === 'generation' && CONTENT.find((each) => each.some((name) => read(name) !== undefined))
  if (!names) return undefined
  const [input, ...outputs] = names
  return { input: read(input), output: outputs.map(read).find((output) => typeof output === 'string') }
}

/** Returns the last text of a role in a recorded conversation, or without a role the first one. */
function textIn(recorded: unknown, role?: string): string | undefined {
  if (typeof recorded !== 'string' || recorded === '') return undefined
  return boundedText(attempt('read a model call', () => (/^[[{]/.test(recorded) ? spokenIn(recorded, role) : recorded)))
}

function spokenIn(recorded: string, role: string | undefined): string | undefined {
  if (recorded.length > LIMIT) return role ? undefined : recorded
  const value = parsedJson(recorded)
  const list = isFields(value) ? (value.messages ?? value.choices ?? value) : value
  const messages = [list].flat().filter(isFields).map(messageIn)
  const texts = messages.filter((message) => !role || message.role === role).map(textOf)
  const text = (role ? texts.reverse() : texts).find(Boolean)
  return text ?? (messages.some((message) => message.role) ? undefined : recorded)
}

/** A choice of a response has its message in a field. */
const messageIn = (entry: Record<string, unknown>) => (isFields(entry.message) ? entry.message : entry)

/** `content` as text or in parts, or the `parts` of the GenAI conventions. */
function textOf({ content, parts = content }: Record<string, unknown>): string {
  const texts = [parts].flat().map((part) => {
    const { type, text, content = text } = Object(part) as Record<string, unknown>
    if (typeof part === 'string') return part
    return /text$/.test(String(type)) && typeof content === 'string' ? content : ''
  })
  return texts.filter(Boolean).join('\n')
}
