import { bodyText, type HttpResponse, isSuccess } from '@svc/core/http-exchange'
import { log, messageOf } from '@svc/core/log'
import { Losses } from '@svc/core/losses'
import type { SvcApi } from '../api/bind.ts'
import { errorOfAnswer, SvcAPIError } from '../api/errors.ts'
import type { CreateScoreRequest } from '../api/types/scores.ts'

/** As much of the API as scores need. */
export interface ScoresApi {
  readonly scores: Pick<SvcApi['scores'], 'create'>
}

/** Errors of one answer that are quoted; the rest is counted. */
const QUOTED = 20

/** Sends batches, and says what became of those that were not taken. */
export class ScoreSender {
  readonly #api: ScoresApi
  readonly #gaveUp: string
  readonly #losses = new Losses((count) => (count === 1 ? '1 score is lost.' : `${count} scores are lost.`))

  /** @param end where scores go, and how many milliseconds the end of the process waits for them; for messages */
  constructor(api: ScoresApi, end: { readonly destination: string; readonly exitTimeout: number }) {
    this.#api = api
    const seconds = end.exitTimeout / 1_000
    this.#gaveUp = `gave up on the last scores: ${end.destination} did not take them within ${seconds} s (SVC_SHUTDOWN_TIMEOUT).`
  }

  /** Never rejects. */
  readonly send = async (texts: readonly string[]): Promise<void> => {
    try {
      const scores = texts.map((text): CreateScoreRequest => JSON.parse(text))
      const { data, rawResponse } = await this.#post(scores)
      if (rawResponse.status === 207) sayRejected(data, texts.length)
    } catch (error) {
      this.#sayFailed(error, texts.length)
    }
  }

  /** What the last hop heard of a batch. */
  readonly answered = (texts: readonly string[], response: HttpResponse): void => {
    const text = bodyText(response)
    if (response.status === 207) {
      sayRejected(parsed(text), texts.length)
    } else if (!isSuccess(response)) {
      const rawResponse = { status: response.status, statusText: '', headers: new Headers(), url: '' }
      this.#sayFailed(errorOfAnswer('POST /api/public/scores', text, rawResponse), texts.length)
    }
  }

  /** The process ends, and these did not get away. */
  readonly lose = (scores: number): void => {
    if (scores > 0) this.#losses.reportLater({ kind: 'gave up', text: this.#gaveUp }, scores)
  }

  /** Scores that found no room. */
  overflow(): void {
    this.#losses.report(
      { kind: 'full', text: 'The score queue is full: scores come faster than the service takes them.' },
      1,
    )
  }

  /** Whether something was held back because it repeats. */
  hasRest(): boolean {
    return this.#losses.hasRest()
  }

  /** Says what was held back. */
  reportRest(): void {
    this.#losses.reportRest()
  }

  async #post(scores: readonly CreateScoreRequest[]) {
    try {
      return await this.#api.scores.create(scores).withRawResponse()
    } catch (error) {
      // Without an answer nobody knows whether they arrived. Each has an id, so a second time does no harm.
      if (!(error instanceof SvcAPIError) || error.statusCode !== undefined) throw error
      return await this.#api.scores.create(scores).withRawResponse()
    }
  }

  #sayFailed(error: unknown, count: number): void {
    const status = error instanceof SvcAPIError ? error.statusCode : undefined
    if (status === 207) {
      log.error(`Svc rejected some of ${count} scores in batch: the answer does not say which (${messageOf(error)})`)
      return
    }
    const keys = status === 401 || status === 403 ? ' Check SVC_PUBLIC_KEY, SVC_SECRET_KEY and SVC_BASE_URL.' : ''
    this.#losses.report(
      {
        kind: String(status ?? 'none'),
        text: `Failed to export score batch: ${messageOf(error).replace(/\.$/, '')}.${keys}`,
      },
      count,
    )
  }
}

// The answer comes from outside: any of it may be missing.
function sayRejected(answer: unknown, total: number): void {
  const { rejected, errors } = (answer ?? {}) as { rejected?: unknown; errors?: unknown }
  if (rejected === 0) return
  const said = Array.isArray(errors) ? errors.map(reasonOf) : []
  const shown = [...said.slice(0, QUOTED), ...(said.length > QUOTED ? [`${said.length - QUOTED} more`] : [])]
  const count = Number.isSafeInteger(rejected) ? rejected : 'some'
  log.error(`Svc rejected ${count} of ${total} scores in batch: ${shown.join('; ') || 'the answer does not say why'}`)
}

function reasonOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : (JSON.stringify(error) ?? String(error))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
