import type { ServerResponse } from 'node:http'

/** The response of a handler. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Traces that have new observations. */
  readonly traces?: readonly string[]
  /** Keeps the answer open and writes to it, instead of a body. */
  readonly stream?: (response: ServerResponse) => void
}

export const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

/** A refused request: thrown anywhere below the router, answered as `{message, error}` (contract 5.1). */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly answer: Answer

  constructor(status: number, message: string, error: unknown = message, headers?: Readonly<Record<string, string>>) {
    super(message)
    this.answer = json(status, { message, error }, headers)
  }
}

export const notFound = (message: string): Refusal => new Refusal(404, message, 'SvcNotFoundError')
export const badRequest = (issues: readonly unknown[]): Refusal => new Refusal(400, 'Invalid request data', issues)
