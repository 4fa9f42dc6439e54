import type { Cause } from '../losses.ts'
import type { Headers } from '../service-headers.ts'
import type { Transport } from '../transport.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { Clock } from './clock.ts'
import type { EndpointState } from './endpoint-state.ts'
import type { Ledger } from './ledger.ts'
import type { BatchFormat } from './sealed-batch.ts'
import type { Spool } from './spool/spool.ts'
import type { Verdict } from './verdict.ts'

/** The URL of requests, and their headers. */
export interface Target {
  readonly url: string
  readonly headers: Headers
}

export interface BatchOutboxParts {
  readonly target: Target
  readonly transport: Transport
  /** Milliseconds one request may take. */
  readonly timeoutMs: number
  /** Whether a request may never settle: see `HttpSender.isCutOff`. Default: false. */
  readonly isCutOff?: true | undefined
  /** Milliseconds for which a batch is retried. */
  readonly maxAgeMs: number
  readonly state: EndpointState
  readonly format: BatchFormat
  readonly budget: ByteBudget
  readonly ledger: Ledger
  readonly clock: Clock
  /** Returns undefined without a spool, or before it is open. */
  readonly spool: () => Spool | undefined
  /** Returns the cause for dropping a batch that was retried for too long. */
  readonly tooOld: (cause: Cause | undefined) => Cause
  /** A failed batch is retried before later ones, so that the order stays; else behind them. */
  readonly keepsOrder?: boolean
  /** Called when a request has settled. */
  readonly onSettled: (verdict: Verdict) => void
}
