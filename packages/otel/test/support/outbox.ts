import { ByteBudget } from '@svc/core/delivery/byte-budget'
import { Ledger } from '@svc/core/delivery/ledger'
import type { BatchOutboxParts } from '@svc/core/delivery/outbox-parts'
import { RequestForm } from '@svc/core/delivery/request-form'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { tooOld, type Verdict } from '@svc/core/delivery/verdict'
import type { HttpRequest, HttpResponse } from '@svc/core/http-exchange'
import type { Cause } from '@svc/core/losses'
import type { Outgoing } from '@svc/core/outbox'
import { DIRECT } from '@svc/core/transport'
import { BatchOutbox } from '../../../core/src/delivery/batch-outbox.ts'
import { EndpointState } from '../../../core/src/delivery/endpoint-state.ts'
import { PROTOBUF } from '../../src/export/protobuf.ts'
import { SPANS, spanFormat } from '../../src/export/span-format.ts'
import { namesIn } from './batches.ts'
import { fakeClock } from './clock.ts'

/** What an endpoint makes of a request. */
export type Endpoint = (spans: readonly string[], request: HttpRequest, index: number) => HttpResponse | Error

/** One request as it was sent. */
export interface Sent {
  readonly at: number
  readonly request: HttpRequest
  readonly spans: readonly string[]
}

export const TARGET = { url: 'http://host:1/traces', headers: { authorization: 'Basic x' } }
export const MAX_AGE_MS = 900_000
export const GAVE_UP: Cause = { kind: 'gave up', text: 'gave up.' }

/** An outbox with a clock of its own, and everything around it to look at. */
export function outboxWith(
  overrides: Pick<Partial<BatchOutboxParts>, 'budget' | 'spool'> & { readonly compressed?: boolean } = {},
) {
  const { compressed = false, ...parts } = overrides
  // Half of all jitter, so that nothing depends on an extreme.
  const clock = fakeClock(0.5)
  const state = new EndpointState(clock)
  const form = new RequestForm(compressed)
  const budget = parts.budget ?? new ByteBudget(64 * 1_048_576)
  const ledger = new Ledger(SPANS, clock.now)
  const verdicts: Verdict['kind'][] = []
  const outbox = new BatchOutbox({
    target: TARGET,
    transport: DIRECT,
    timeoutMs: 5_000,
    maxAgeMs: MAX_AGE_MS,
    state,
    format: spanFormat(form, 'host:1', 5_000, PROTOBUF),
    spool: () => undefined,
    tooOld: (cause) => tooOld(cause, 'host:1', SPANS, MAX_AGE_MS),
    budget,
    ledger,
    clock,
    onSettled: ({ kind }) => void verdicts.push(kind),
    ...parts,
  })
  const sent: Sent[] = []
  const underWay: { readonly outgoing: Outgoing; readonly spans: readonly string[]; readonly index: number }[] = []
  let added = 0

  /** Takes all that may be sent now. */
  function takeAll(): readonly Outgoing[] {
    const taken: Outgoing[] = []
    for (let outgoing = outbox.take(); outgoing; outgoing = outbox.take()) {
      const { request } = outgoing
      const spans = namesIn(request.body)
      underWay.push({ outgoing, spans, index: sent.length })
      sent.push({ at: clock.now(), request, spans })
      taken.push(outgoing)
    }
    return taken
  }

  return {
    ...{ clock, state, form, budget, ledger, outbox, verdicts, sent, takeAll },
    /** Adds batches that were sealed now. */
    add(...batches: readonly SealedBatch[]) {
      for (const batch of batches) outbox.add({ ...batch, sealedAt: clock.now() })
      added += batches.reduce((sum, { items }) => sum + items, 0)
    },
    /**
     * Sends as an event loop would, a millisecond a request and first come, first served, until nothing is left, or
     * only what waits for others, or `enough` says so.
     */
    run(endpoint: Endpoint, enough: () => boolean = () => false): readonly Sent[] {
      const before = sent.length
      for (let steps = 0; steps < 10_000 && !enough(); steps++) {
        takeAll()
        const next = underWay.shift()
        if (next) {
          clock.pass(1)
          next.outgoing.settle(endpoint(next.spans, (sent[next.index] as Sent).request, next.index))
        } else if (outbox.wait() === undefined || outbox.hasOnlyRefused) {
          break
        } else clock.pass(outbox.wait() ?? 0)
      }
      return sent.slice(before)
    },
    /** What became of all spans that were added. */
    outcome: () => ({ sent: ledger.sent, pending: outbox.items, dropped: ledger.dropped }),
    /** Spans that are neither sent, nor dropped, nor here. */
    missing() {
      const dropped = Object.values(ledger.dropped).reduce((sum, spans) => sum + spans, 0)
      return added - ledger.sent - dropped - outbox.items
    },
  }
}

/** An endpoint that takes what `isFine` likes, and answers the rest so. */
export const unless =
  (isFine: (spans: readonly string[], request: HttpRequest) => boolean, fine: HttpResponse, otherwise: HttpResponse) =>
  (spans: readonly string[], request: HttpRequest): HttpResponse =>
    isFine(spans, request) ? fine : otherwise
