import { Ledger } from '@svc/core/delivery/ledger'

/** Where nothing is sent, nothing is lost. */
export class NoLedger extends Ledger {
  override end(): void {}
  override drop(): void {}
  override dropAtEnd(): void {}
  override close(): void {}
}
