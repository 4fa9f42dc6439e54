import type { WithRawResponse } from './raw-response.ts'

/** The promise of a call's result, with access to the HTTP response. */
export class ApiPromise<T> extends Promise<T> {
  // `then` returns a plain promise, because only the call itself has a response.
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

  /** Returns the result together with status, headers and final URL of the response. */
  withRawResponse(): Promise<WithRawResponse<T>> {
    // The caller handles the rejection of the returned promise only.
    this.catch(() => {})
    return this.#answer
  }
}

/** A page of a listing. `for await` iterates over the items of this page and of all following ones. */
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
