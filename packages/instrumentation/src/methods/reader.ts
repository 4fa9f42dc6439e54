import { type Fields, fieldsOf } from '../calls/read.ts'
import type { Answer } from '../calls/result.ts'
import type { Operation } from '../stainless/operation.ts'

/** How the requests and the answers of a family of models read. */
export type Reader = Omit<Operation, 'path'>

/** Puts requests and answers in the words of another family, whose reader then reads them. */
export interface Translation {
  request(body: Fields): Fields
  answer(body: Fields): Fields
  /** For each streamed answer: what puts its events in other words. Default: as a whole answer. */
  events?(): (body: Fields) => Fields
  /** What becomes of an answer that was read. Default: it stays as it is. */
  finish?(answer: Answer): Answer
}

/** The reader of one family for those of another, whose words are put into its own. */
export function translated(reader: Reader, translation: Translation): Reader {
  const { request, answer, events = () => answer, finish = (read) => read } = translation
  return {
    name: reader.name,
    parameters: (body) => reader.parameters(request(body)),
    question: (body) => reader.question(request(body)),
    answer: (body) => finish(reader.answer(answer(body))),
    listen() {
      const listener = reader.listen()
      const event = events()
      return {
        add: (item) => listener.add(event(fieldsOf(item))),
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
