import { Failures } from '@svc/core/failures'
import { log, messageOf } from '@svc/core/log'
import type { SvcApi } from '../api/bind.ts'
import { SvcAPIError } from '../api/errors.ts'
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
  readonly #failures = new Failures((count) => (count === 1 ? '1 score is lost.' : `${count} scores are lost.`))

  constructor(api: ScoresApi) {
    this.#api = api
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

  /** Scores that found no room. */
  overflow(): void {
    this.#failures.report(
      { kind: 'full', text: 'The score queue is full: scores come faster than the service takes them.' },
      1,
    )
  }

  /** Whether something was held back because it repeats. */
  hasRest(): boolean {
    return this.#failures.hasRest()
  }

  /** Says what was held back. */
  reportRest(): void {
    this.#failures.reportRest()
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
    this.#failures.report(
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
