import type { WithRawResponse } from './raw-response.ts'

/** The result of a call, and on demand the answer behind it. */
export class ApiPromise<T> extends Promise<T> {
  // What `then` makes is a plain promise: only the call itself has an answer behind it.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  readonly #answer: Promise<WithRawResponse<T>>

  constructor(answer: Promise<WithRawResponse<T>>) {
    super((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject)
    })
    this.#answer = answer
  }

  /** The result together with status, headers and final URL of the answer. */
  withRawResponse(): Promise<WithRawResponse<T>> {
    // Whoever waits for the one need not wait for the other.
    this.catch(() => {})
    return this.#answer
  }
}

/** A page of a listing. `for await` goes through the items of this page and of all that follow. */
export class ApiPages<Page, Item> extends ApiPromise<Page> implements AsyncIterable<Item> {
  readonly #items: () => AsyncGenerator<Item, void, undefined>

  constructor(answer: Promise<WithRawResponse<Page>>, items: (first: Promise<Page>) => AsyncGenerator<Item>) {
    super(answer)
    this.#items = () => items(this)
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    this.catch(() => {})
    return this.#items()
  }
}
