import type { Attributes } from '@opentelemetry/api'
import type { StreamAccumulator } from './accumulator.ts'
import type { RequestContent, ResponseContent } from './content.ts'
import { asRecord, type Fields } from './read.ts'

/** Reads the requests and the responses of a family of models. */
export interface Reader {
  /** `gen_ai.operation.name` */
  readonly name: 'chat' | 'text_completion' | 'generate_content' | 'embeddings'
  /** What remains of a request when content is not recorded. */
  parameters(body: Fields): Attributes
  question(body: Fields): RequestContent
  answer(response: Fields): ResponseContent
  /**
   * For answers that come as a stream.
   *
   * @param read reads what has arrived, in the form of a whole response. Default: {@link answer}
   */
  listen(read?: (response: Fields) => ResponseContent): StreamAccumulator
}

/** Puts requests and answers in the words of another family, whose reader then reads them. */
export interface Translation {
  request(body: Fields): Fields
  /** Parameters that the other family has no word for. */
  parameters?(body: Fields): Attributes
  answer(body: Fields): Fields
  /** For each streamed answer: what puts its events in other words. Default: as a whole answer. */
  events?(): (body: Fields) => Fields
  /** What becomes of an answer that was read. Default: it stays as it is. */
  finish?(answer: ResponseContent): ResponseContent
}

/** The reader of one family for those of another, whose words are put into its own. */
export function translated(reader: Reader, translation: Translation): Reader {
  const { request, answer, events = () => answer, finish = (read) => read } = translation
  return {
    name: reader.name,
    parameters: (body) => ({ ...reader.parameters(request(body)), ...translation.parameters?.(body) }),
    question: (body) => reader.question(request(body)),
    answer: (body) => finish(reader.answer(answer(body))),
    listen() {
      const listener = reader.listen()
      const event = events()
      return {
        add: (item) => listener.add(event(asRecord(item))),
        get complete() {
          return listener.complete
        },
        get answer() {
          return finish(listener.answer)
        },
      }
    },
  }
}

/** Of an answer that brings nothing, such as a piece without a text, nothing is told but how it ended. */
export function withoutSilence(answer: ResponseContent): ResponseContent {
  return { ...answer, messages: answer.messages?.filter(({ parts }) => parts.length > 0) ?? [] }
}
