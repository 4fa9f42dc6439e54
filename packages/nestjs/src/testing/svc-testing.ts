import { getRuntime } from '@svc/core/registry'
import { requestsEnded } from '../scope/open-requests.ts'
import { SvcService } from '../svc.service.ts'
import type { Memory } from './memory.ts'
import { type SvcTestSpan, testSpan } from './span.ts'

/** Gives tests the spans that were recorded. */
export class SvcTesting extends SvcService {
  readonly #memory: Memory

  constructor(memory: Memory) {
    super()
    this.#memory = memory
  }

  /** The spans that ended, in the order of their end. Waits for requests that are under way, at most two seconds. */
  async spans(): Promise<SvcTestSpan[]> {
    await requestsEnded(2_000)
    await getRuntime()?.forceFlush()
    return this.#memory.spans.map(testSpan)
  }

  /** Forgets the spans so far. */
  async reset(): Promise<void> {
    await this.spans()
    this.#memory.spans = []
  }
}
