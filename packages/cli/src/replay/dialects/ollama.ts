import {
  type AnswerMessage,
  type Dialect,
  messagesWith,
  parsedArguments,
  piecesOf,
  type RecordedAnswer,
} from '../answer.ts'

/** Ollama's chat: a line of JSON for each piece. */
export const ollamaChat: Dialect = {
  path: /\/api\/chat$/,
  streamType: 'application/x-ndjson',
  whole: (answer) => ({ ...lineOf(answer, messageOf(answer.messages[0])), ...endOf(answer) }),
  stream(answer) {
    const [{ text = '', thinking = '', ...message } = NOTHING] = answer.messages
    return [
      ...piecesOf(thinking).map((piece) => ({ ...NOTHING, thinking: piece })),
      ...piecesOf(text).map((piece) => ({ ...NOTHING, text: piece })),
      ...(message.calls.length > 0 ? [{ ...NOTHING, ...message }] : []),
    ]
      .map((each): object => ({ ...lineOf(answer, messageOf(each)), done: false }))
      .concat({ ...lineOf(answer, messageOf(NOTHING)), ...endOf(answer) })
      .map((line) => `${JSON.stringify(line)}\n`)
  },
  withSystem: (request, system) => ({ ...request, messages: messagesWith(request.messages, system) }),
}

const NOTHING: AnswerMessage = { text: '', thinking: '', calls: [] }

const lineOf = ({ model, created }: RecordedAnswer, message: object) => ({
  ...{ model, created_at: new Date(created * 1_000).toISOString(), message },
})

const messageOf = ({ text, thinking, calls }: AnswerMessage = NOTHING) => ({
  ...{ role: 'assistant', content: text },
  ...(thinking && { thinking }),
  ...(calls.length > 0 && {
    tool_calls: calls.map(({ name, arguments: input }) => ({ function: { name, arguments: parsedArguments(input) } })),
  }),
})

const endOf = ({ finish, usage }: RecordedAnswer) => ({
  ...{ done: true, done_reason: finish ?? 'stop', prompt_eval_count: usage.input, eval_count: usage.output },
})
