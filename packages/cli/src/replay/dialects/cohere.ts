import { type Dialect, EVENT_STREAM, messagesWith, named, piecesOf, type RecordedAnswer } from '../answer.ts'

/** Cohere's chat, version 2. */
export const cohereChat: Dialect = {
  path: /\/v2\/chat$/,
  streamType: EVENT_STREAM,
  whole: (answer) => ({
    ...{ id: answer.id, finish_reason: finishOf(answer) },
    message: {
      role: 'assistant',
      ...(textOf(answer) && { content: [{ type: 'text', text: textOf(answer) }] }),
      ...(callsOf(answer).length > 0 && { tool_calls: callsOf(answer) }),
    },
    usage: usageOf(answer),
  }),
  stream: (answer) =>
    [
      { type: 'message-start', id: answer.id, delta: { message: { role: 'assistant', content: [], tool_calls: [] } } },
      ...(textOf(answer)
        ? [
            { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
            ...piecesOf(textOf(answer)).map((text) => ({
              ...{ type: 'content-delta', index: 0, delta: { message: { content: { text } } } },
            })),
            { type: 'content-end', index: 0 },
          ]
        : []),
      ...callsOf(answer).flatMap(({ function: { name, arguments: input }, ...call }, index) => [
        {
          ...{ type: 'tool-call-start', index },
          delta: { message: { tool_calls: { ...call, function: { name, arguments: '' } } } },
        },
        { type: 'tool-call-delta', index, delta: { message: { tool_calls: { function: { arguments: input } } } } },
        { type: 'tool-call-end', index },
      ]),
      { type: 'message-end', delta: { finish_reason: finishOf(answer), usage: usageOf(answer) } },
    ].map(named),
  withSystem: (request, system) => ({ ...request, messages: messagesWith(request.messages, system) }),
}

const textOf = ({ messages }: RecordedAnswer): string => messages.map(({ text }) => text).join('')

const callsOf = ({ messages }: RecordedAnswer) =>
  messages.flatMap(({ calls }) =>
    calls.map(({ id, name, arguments: input }) => ({ id, type: 'function', function: { name, arguments: input } })),
  )

const finishOf = ({ finish, ...answer }: RecordedAnswer): string =>
  finish !== undefined && /^[A-Z_]+$/.test(finish)
    ? finish
    : callsOf(answer as RecordedAnswer).length > 0
      ? 'TOOL_CALL'
      : 'COMPLETE'

const usageOf = ({ usage: { input, output, cached } }: RecordedAnswer) => ({
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input, output_tokens: output },
  cached_tokens: cached,
})
