import type { TimeInput } from '@opentelemetry/api'
import { attempt } from '@svc/core/attempt'
import type { MissingEnd } from '@svc/core/span-life'
import { CallSpan, type CallStart } from './call.ts'

/** @param missing why the call ended, if the application did not end it */
export type DescribeCall = (call: CallSpan, missing: MissingEnd | undefined) => void

/** A call whose attributes become known while it lasts and are written when it ends. */
export class DescribedCall extends CallSpan {
  readonly #describe: DescribeCall
  #missing: MissingEnd | undefined
  /** Whether the span ends at its last activity instead of now. */
  endsWithActivity = false

  constructor(start: CallStart, describe: DescribeCall) {
    super(start)
    this.#describe = describe
  }

  override endWithout(missing: MissingEnd): void {
    this.#missing = missing
    super.endWithout(missing)
  }

  protected override endTime(outcome: string | undefined): number | undefined {
    return this.endsWithActivity ? this.lastActivity : super.endTime(outcome)
  }

  protected override finish(record: () => void, at?: TimeInput): void {
    const describeAndRecord = () => {
      attempt('describe a call', () => this.#describe(this, this.#missing))
      record()
    }
    super.finish(describeAndRecord, at)
  }
}
