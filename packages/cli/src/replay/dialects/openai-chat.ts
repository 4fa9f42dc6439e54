import {
  type AnswerMessage,
  type AnswerUsage,
  type Dialect,
  data,
  EVENT_STREAM,
  messagesWith,
  piecesOf,
  type RecordedAnswer,
} from '../answer.ts'

/** Chat completions of OpenAI, and of all who have the same API. */
export const openAiChat: Dialect = {
  path: /\/chat\/completions$/,
  ids: /^chatcmpl-/,
  streamType: EVENT_STREAM,
  whole: (answer) => ({
    ...head(answer, 'chat.completion'),
    choices: answer.messages.map((message, index) => ({
      index,
      message: { role: 'assistant', content: message.text || null, ...extrasOf(message), refusal: null },
      logprobs: null,
      finish_reason: finishOf(answer, message),
    })),
    usage: usageOf(answer.usage),
    // Some libraries refuse an answer without it.
    system_fingerprint: null,
  }),
  stream: (answer, { stream_options }) => {
    const chunk = (choices: readonly object[], more?: object) =>
      data({ ...head(answer, 'chat.completion.chunk'), choices, ...more })
    const isAsked = (stream_options as { include_usage?: unknown } | undefined)?.include_usage === true
    // Some vendors have it there without being asked.
    const last = !isAsked && answer.usage.input + answer.usage.output > 0 && { usage: usageOf(answer.usage) }
    return [
      ...answer.messages.flatMap((message, index) =>
        deltasOf(message, finishOf(answer, message)).map(([delta, finish_reason = null]) =>
          chunk([{ index, delta, logprobs: null, finish_reason }], finish_reason && last ? last : {}),
        ),
      ),
      ...(isAsked ? [chunk([], { usage: usageOf(answer.usage) })] : []),
      'data: [DONE]\n\n',
    ]
  },
  withSystem: (request, system) => ({ ...request, messages: messagesWith(request.messages, system) }),
}

const head = ({ id, created, model, tier }: RecordedAnswer, object: string) => ({
  ...{ id, object, created, model },
  ...(tier && { service_tier: tier }),
})

function deltasOf(message: AnswerMessage, finish: string): (readonly [delta: object, finish?: string])[] {
  const { text, thinking, calls } = message
  return [
    [{ role: 'assistant', content: text ? '' : null }],
    ...piecesOf(thinking).map((reasoning_content) => [{ reasoning_content }] as const),
    ...piecesOf(text).map((content) => [{ content }] as const),
    // Whole: some libraries expect a name in each.
    ...toolCallsOf(calls).map((call, index) => [{ tool_calls: [{ index, ...call }] }] as const),
    [{}, finish],
  ]
}

const extrasOf = ({ thinking, calls }: AnswerMessage) => ({
  ...(thinking !== '' && { reasoning_content: thinking }),
  ...(calls.length > 0 && { tool_calls: toolCallsOf(calls) }),
})

const toolCallsOf = (calls: AnswerMessage['calls']) =>
  calls.map(({ id, name, arguments: input }) => ({ id, type: 'function', function: { name, arguments: input } }))

const REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call']

function finishOf(answer: RecordedAnswer, { calls, finish = answer.finish ?? '' }: AnswerMessage): string {
  const spelled = finish.replace('-', '_')
  return REASONS.includes(spelled) ? spelled : calls.length > 0 ? 'tool_calls' : 'stop'
}

const usageOf = ({ input, output, cached, reasoning }: AnswerUsage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})
