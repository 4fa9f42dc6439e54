import type { Listener } from '../calls/call.ts'
import type { Fields } from '../calls/read.ts'
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
}

/** The reader of one family for those of another, whose words are put into its own. */
export function translated(reader: Reader, { request, answer, events = () => answer }: Translation): Reader {
  return {
    name: reader.name,
    parameters: (body) => reader.parameters(request(body)),
    question: (body) => reader.question(request(body)),
    answer: (body) => reader.answer(answer(body)),
    listen: () => new Translating(reader.listen(), events()),
  }
}

class Translating implements Listener {
  readonly #listener: Listener
  readonly #event: (body: Fields) => Fields

  constructor(listener: Listener, event: (body: Fields) => Fields) {
    this.#listener = listener
    this.#event = event
  }

  add(item: unknown): boolean {
    return this.#listener.add(this.#event(item as Fields))
  }

  get complete(): boolean {
    return this.#listener.complete
  }

  get answer(): Answer {
    return this.#listener.answer
  }
}
