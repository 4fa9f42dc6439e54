import type { Attributes, Context } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import { ATTRIBUTE, GENERAL } from '@svc/core/attributes'
import type { ResponseContent } from '../gen-ai/content.ts'
import { readHeaderCost } from '../gen-ai/cost.ts'
import { type AnswerTaker, answerTaker, type OpenRequest } from '../record/answer-taker.ts'
import { getCall } from '../record/current.ts'
import { responseAttributes } from '../record/write.ts'
import type { ReadHeader, WireApi } from './apis.ts'
import type { WireFollower } from './follower.ts'
import { ReceivedBody } from './received-body.ts'

/**
 * Follows a request below the generation of a framework, which takes what the answer says.
 *
 * @param path of the request, without its query
 * @returns undefined if nobody takes it, or if a client does that reads the answer itself
 */
export function followBelow(active: Context, api: WireApi, path: string): WireFollower | undefined {
  // Vectors are long, and the framework has all that is said beside them.
  const isRead = !getCall(active) && api.reader.name !== 'embeddings'
  const taker = isRead ? answerTaker(active) : undefined
  if (!taker?.follow) return undefined
  const answer = new AnswerBelow(api, path, taker)
  taker.follow(answer)
  return answer
}

/** Reads the answer once, when it has arrived or the framework's span ends. The framework knows what it asked. */
class AnswerBelow implements WireFollower, OpenRequest {
  readonly #api: WireApi
  readonly #path: string
  readonly #answer = new ReceivedBody()
  #taker: AnswerTaker | undefined

  constructor(api: WireApi, path: string, taker: AnswerTaker) {
    this.#api = api
    this.#path = path
    this.#taker = taker
  }

  sending(): void {}

  send(): void {}

  responded(status: number, header: ReadHeader): void {
    // Early hints, and where the request is to be sent instead.
    if (status < 200 || (status >= 300 && status < 400)) return
    // The framework reports what was refused.
    if (status >= 400) this.#taker = undefined
    else this.#answer.responded(status, header)
  }

  receive(chunk: unknown, encoding?: unknown): void {
    if (this.#taker) this.#answer.receive(chunk, encoding)
  }

  done(): void {
    this.end()
  }

  failed(): void {
    this.end()
  }

  end(): void {
    const taker = this.#taker
    this.#taker = undefined
    if (taker && this.#answer.head) attempt('read an answer', () => this.#tell(taker))
    this.#answer.clear()
  }

  #tell(taker: AnswerTaker): void {
    const { findReader, readModel, reader } = this.#api
    const { content } = this.#answer.read(this.#api, findReader?.(readModel?.(this.#path) ?? '', {}) ?? reader)
    const { cost = readHeaderCost((name) => this.#answer.head?.header(name)) } = content
    const attributes = { ...responseAttributes({ ...content, cost }), ...failureAttributes(content) }
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) taker.take(name, value, this)
  }
}

/** A failure beside an answer, which a framework may take for a good one. */
function failureAttributes({ failure }: ResponseContent): Attributes {
  if (!failure) return {}
  return {
    [GENERAL.ERROR_TYPE]: failure.type,
    [ATTRIBUTE.OBSERVATION_LEVEL]: 'ERROR',
    [ATTRIBUTE.OBSERVATION_STATUS_MESSAGE]: failure.message,
  }
}
