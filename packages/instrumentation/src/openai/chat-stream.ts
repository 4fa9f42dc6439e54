import { log } from '@svc/core/log'
import type { StreamAccumulator } from '../gen-ai/accumulator.ts'
import { Accumulator } from '../gen-ai/accumulator.ts'
import type { ResponseContent } from '../gen-ai/content.ts'
import { findFailure } from '../gen-ai/failure.ts'
import { countsAsOutput, each, first, json, last, list, type MergeTable, name, object, text } from '../gen-ai/merge.ts'
import { asArray, asName, asNumber, asRecord, asString, type Fields } from '../gen-ai/read.ts'
import { findUsage } from './usage.ts'
import { toOpenAiAssistantMessage } from './wire.ts'

/** Fields that chunks of `chat/completions` and `completions` share. */
export const HEAD: MergeTable = { id: first, model: first, usage: object, service_tier: last, error: last }

/** A `chat.completion.chunk`. `reasoning_content` and the like are not part of OpenAI's own API. */
const CHUNK: MergeTable = {
  ...HEAD,
  service_tier_used: last,
  x_groq: { usage: object, error: first },
  timings: object,
  citations: last,
  search_results: last,
  choices: list({
    delta: {
      content: text,
      refusal: text,
      reasoning_content: text,
      reasoning: text,
      reasoning_details: list({ text, summary: text }),
      reasoning_steps: countsAsOutput(each),
      audio: { transcript: text },
      provider_metadata: last,
      annotations: each,
      context: last,
      images: countsAsOutput(each),
      executed_tools: list({ type: last, arguments: last, output: last }),
      tool_calls: list(
        countsAsOutput({ id: last, function: { name, arguments: json }, custom: { name, input: text } }),
        // Some servers send no index.
        ({ index }, position) => asNumber(index) ?? position,
        // Others have an empty id, or a new one, with each piece of a call. Only its first piece has the name.
        ({ id, function: called, custom }) => (asRecord(called ?? custom).name ? asName(id) || undefined : undefined),
      ),
      function_call: countsAsOutput({ name, arguments: json }),
    },
    finish_reason: last,
    error: last,
    usage: object,
  }),
}

/** @param read reads the response that the chunks add up to, with messages in `delta` */
export function createChatAccumulator(read: (response: Fields) => ResponseContent): StreamAccumulator {
  return new Accumulator({
    toDelta: (chunk) => (chunk.choices ? withTexts(chunk) : withError(chunk)),
    table: CHUNK,
    isComplete: isFinished,
    readResponse(whole) {
      const usage = findUsage(whole)
      if (usage === undefined && isFinished(whole)) {
        log.once(
          'warn',
          'a streamed chat completion has token counts only with stream_options: { include_usage: true }.',
        )
      }
      // Groq reports in a chunk that it stops a stream early.
      return read({ ...whole, usage, error: whole.error ?? asRecord(whole.x_groq).error })
    },
  })
}

/** What has no choices may be an error, in any form. */
function withError(chunk: Fields): Fields {
  const failure = findFailure(chunk)
  return failure ? { ...chunk, error: { code: failure.type, message: failure.message } } : chunk
}

/** Mistral's reasoning is among the parts of a content, and OpenRouter's twice: it would take the room of the answer. */
function withTexts(chunk: Fields): Fields {
  const choices = asArray(chunk.choices).map(asRecord)
  const isOther = ({ delta }: Fields) => Array.isArray(asRecord(delta).content) || hasReasoningTwice(asRecord(delta))
  if (!choices.some(isOther)) return chunk
  return { ...chunk, choices: choices.map((choice) => ({ ...choice, delta: withText(asRecord(choice.delta)) })) }
}

const hasReasoningTwice = ({ reasoning, reasoning_details }: Fields) => Boolean(reasoning && reasoning_details)

/** Returns a delta with the text among the parts of its content. */
function withText(delta: Fields): Fields {
  if (hasReasoningTwice(delta)) return { ...delta, reasoning_details: undefined }
  const message = toOpenAiAssistantMessage(delta)
  if (!Array.isArray(message.content)) return message
  const texts = message.content.flatMap((part) => asString(asRecord(part).text) ?? [])
  return { ...message, content: texts.join('') }
}

/** Returns whether every choice has a finish reason. */
export function isFinished({ choices }: Fields): boolean {
  const all = asArray(choices).map(asRecord)
  return all.length > 0 && all.every(({ finish_reason }) => finish_reason !== undefined)
}
