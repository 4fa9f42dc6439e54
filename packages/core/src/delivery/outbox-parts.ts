import type { HttpResponse } from '../http-exchange.ts'
import type { Cause } from '../losses.ts'
import type { Headers } from '../service-headers.ts'
import type { Transport } from '../transport.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { Clock } from './clock.ts'
import type { EndpointState } from './endpoint-state.ts'
import type { Ledger } from './ledger.ts'
import type { BatchFormat, SealedBatch } from './sealed-batch.ts'
import type { Spool } from './spool/spool.ts'
import type { Verdict } from './verdict.ts'

/** Where requests go, and with which headers. */
export interface Target {
  readonly url: string
  readonly headers: Headers
}

export interface BatchOutboxParts {
  readonly target: Target
  readonly transport: Transport
  /** Milliseconds one request may take. */
  readonly timeoutMs: number
  /** Milliseconds a batch is tried for. */
  readonly maxAgeMs: number
  readonly state: EndpointState
  readonly format: BatchFormat
  readonly budget: ByteBudget
  readonly ledger: Ledger
  readonly clock: Clock
  /** Undefined where there is none, or none yet. */
  readonly spool: () => Spool | undefined
  /** Why a batch is given up that was tried for so long. */
  readonly tooOld: (cause: Cause | undefined) => Cause
  /** Whether somebody waits for what is in a batch of one item: a refusal of it is final at once. */
  readonly isAwaited?: ((batch: SealedBatch) => boolean) | undefined
  /** A batch that failed waits before all that came later, so that the order stays; else behind them. */
  readonly keepsOrder?: boolean
  /** Told when something was sent, or was not. */
  readonly onSettled: (verdict: Verdict) => void
  /** Told of items that the endpoint took, or some of them. */
  readonly onAccepted?: ((batch: SealedBatch, outcome: HttpResponse) => void) | undefined
  /** Told of items that were given up. */
  readonly onLost?: ((batch: SealedBatch, cause: Cause) => void) | undefined
}
