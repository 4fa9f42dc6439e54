import type { Bytes } from '@svc/core/bytes'
import type { Noun } from '@svc/core/delivery/noun'
import type { RequestForm } from '@svc/core/delivery/request-form'
import type { BatchFormat, SealedBatch } from '@svc/core/delivery/sealed-batch'
import { notTheService, type Verdict, verdictOf } from '@svc/core/delivery/verdict'
import { foreignText } from '@svc/core/foreign-text'
import { bodyText, type HttpResponse } from '@svc/core/http-exchange'
import { logRejection, rejectionIn } from './rejection.ts'

export const SCORES: Noun = { one: 'score', many: 'scores', made: 'makes' }

/** Errors of a service that does not support batches. */
const NO_LIST = /received array|expected object/i
/** Number of consecutive single scores rejected with 400 from which on the service is assumed to be too old. */
const MANY = 2

/** Returns the body of a request with these scores. */
export function bodyOf(texts: readonly string[]): Bytes {
  return new TextEncoder().encode(`[${texts.join(',')}]`)
}

/** Returns the scores in the body of a request. */
function scoresIn(body: Uint8Array): readonly { readonly id?: unknown }[] {
  return JSON.parse(new TextDecoder().decode(body))
}

/** Returns the format of batches that are JSON lists of scores. */
export function scoreFormat(form: RequestForm, host: string, timeoutMs: number): BatchFormat {
  let isKnown = false
  let refused = 0

  /** Returns a verdict that names the cause if the service is too old for batches. */
  function tooOldFor(verdict: Verdict, outcome: HttpResponse | Error, { items }: SealedBatch): Verdict {
    if (verdict.kind === 'accepted') isKnown = true
    if (isKnown || outcome instanceof Error || outcome.status !== 400) return verdict
    const answer = bodyText(outcome)
    if (items === 1) refused += 1
    if (!NO_LIST.test(answer) && refused < MANY) return verdict
    const text = `${host} refuses every batch of scores (400: ${foreignText(answer)}): it has to be version 4.59.0 or later for version 6 of @svc/client.`
    return { kind: 'refused', cause: { kind: 'too old', text } }
  }

  function fitted(batch: SealedBatch): readonly SealedBatch[] {
    const [first, second] = form.isTooLarge(batch) ? (halves(batch) ?? []) : []
    return first && second ? [...fitted(first), second] : [batch]
  }

  return {
    fitted,
    canBeHalved: ({ items }) => items > 1,
    halves,
    verdictOf(outcome, batch) {
      const parts = { host, timeoutMs, noun: SCORES, taken: (response: HttpResponse) => taken(response, host, batch) }
      return tooOldFor(verdictOf(outcome, parts), outcome, batch)
    },
    uncompressed: (batch) => batch,
    tooLarge(batch) {
      form.tooLarge(batch.rawSize)
      return form.isTooLarge(batch)
    },
  }
}

function halves(batch: SealedBatch): [SealedBatch, SealedBatch] | undefined {
  if (batch.items < 2) return undefined
  const { refusal: _, ...rest } = batch
  const texts = scoresIn(batch.body).map((score) => JSON.stringify(score))
  const middle = Math.ceil(texts.length / 2)
  const half = (part: readonly string[]): SealedBatch => {
    const body = bodyOf(part)
    return { ...rest, body, rawSize: body.length, items: part.length }
  }
  return [half(texts.slice(0, middle)), half(texts.slice(middle))]
}

function taken(response: HttpResponse, host: string, { items, awaited }: SealedBatch): Verdict {
  const text = bodyText(response)
  if (response.status === 207) {
    const rejection = rejectionIn(text)
    logRejection(rejection, items)
    if (rejection && rejection.rejected !== 0) awaited?.lost({ kind: 'rejected', text: rejection.reasons.join('; ') })
    return { kind: 'accepted', rejected: rejection?.rejected ?? 0 }
  }
  return text === '' || isObject(text) ? { kind: 'accepted', rejected: 0 } : notTheService(response, host, 'score API')
}

function isObject(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null
  } catch {
    return false
  }
}
