import { type Dialect, data, EVENT_STREAM, parsedArguments, piecesOf, type RecordedAnswer } from '../answer.ts'

/** `generateContent` of Gemini and Vertex AI. */
export const gemini: Dialect = {
  path: /:(?:g|streamG)enerateContent$/,
  streamType: EVENT_STREAM,
  whole: (answer) =>
    contentOf(
      answer,
      partsOf(answer, (text) => [text]),
      true,
    ),
  stream(answer) {
    const parts = partsOf(answer, piecesOf)
    return parts.map((part, at) => data(contentOf(answer, [part], at === parts.length - 1)))
  },
  withSystem: ({ system_instruction: _, ...request }, text) => ({
    ...request,
    systemInstruction: { parts: [{ text }] },
  }),
}

/** An id that a trace has of a call that had none. */
const COUNTED = /^call_\d+$/

const partsOf = ({ messages }: RecordedAnswer, split: (text: string) => readonly string[]): object[] =>
  messages.flatMap(({ thinking, text, calls }) => [
    ...(thinking ? split(thinking).map((piece) => ({ text: piece, thought: true })) : []),
    ...(text || calls.length === 0 ? split(text).map((piece) => ({ text: piece })) : []),
    ...calls.map(({ id, name, arguments: input }) => ({
      functionCall: { ...(!COUNTED.test(id) && { id }), name, args: parsedArguments(input) },
    })),
  ])

function contentOf({ id, model, finish, usage }: RecordedAnswer, parts: readonly object[], isLast: boolean) {
  const finishReason = finish !== undefined && /^[A-Z_]+$/.test(finish) ? finish : 'STOP'
  return {
    candidates: [{ content: { role: 'model', parts }, ...(isLast && { finishReason }), index: 0 }],
    ...(isLast && {
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output - usage.reasoning,
        totalTokenCount: usage.input + usage.output,
        ...(usage.cached > 0 && { cachedContentTokenCount: usage.cached }),
        ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
      },
    }),
    modelVersion: model,
    responseId: id,
  }
}
