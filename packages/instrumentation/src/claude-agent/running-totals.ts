import { asName, asNumber, type Fields } from '../gen-ai/read.ts'
import {
  type CostShare,
  type CountedCall,
  type ModelTotals,
  readTotals,
  shareCost,
  shareTotals,
  subtractTotals,
  type UnreportedCall,
} from './costs.ts'

interface Spent {
  readonly totals: ModelTotals
  /** US dollars. */
  readonly cost: number
}

const NOTHING: Spent = { totals: {}, cost: 0 }

/** Most sessions whose totals are remembered. */
const SESSIONS = 1_000

/** What sessions had spent by their last result. */
const sessions = new Map<string, Spent>()

/**
 * What a query has spent by its last result. A session that is resumed goes on from its saved totals, so the first result
 * has all earlier queries, too.
 */
export class RunningTotals {
  readonly #resumed: unknown
  /** Undefined if it may include what another process spent. */
  #reported: Spent | undefined

  /** @param options of the query */
  constructor({ resume, continue: isContinued }: Fields) {
    this.#resumed = resume
    this.#reported = resume || isContinued ? undefined : NOTHING
  }

  get cost(): number {
    return this.#reported?.cost ?? 0
  }

  /** Called when the conversation starts anew, with totals of its own. */
  reset(): void {
    this.#reported = NOTHING
  }

  /** Distributes what a result adds to the last one among the calls since then. */
  share(result: Fields, calls: readonly CountedCall[]): { shares: CostShare[]; unreported: UnreportedCall[] } {
    const now: Spent = { totals: readTotals(result), cost: asNumber(result.total_cost_usd) ?? 0 }
    const session = asName(result.session_id)
    const before = this.#reported ?? findBefore(asName(this.#resumed) ?? session, now, calls)
    this.#reported = { totals: { ...before?.totals, ...now.totals }, cost: now.cost }
    if (session !== undefined) remember(session, this.#reported)
    if (Object.keys(now.totals).length === 0)
      return { shares: shareCost(calls, now.cost - (before?.cost ?? 0)), unreported: [] }
    const shared = shareTotals(calls, subtractTotals(before?.totals ?? {}, now.totals))
    // What no message has counted may be that of earlier queries, in another process.
    return before ? shared : { ...shared, unreported: [] }
  }
}

/** Returns what a session had spent, if its totals go on from there: those of older versions start again. */
function findBefore(session: string | undefined, now: Spent, calls: readonly CountedCall[]): Spent | undefined {
  const before = session === undefined ? undefined : sessions.get(session)
  if (!before) return undefined
  const counted = calls.reduce((sum, { usage }) => sum + (usage?.input ?? 0), 0)
  const goesOn = now.cost >= before.cost && inputOf(now) >= inputOf(before) + counted
  return goesOn ? before : NOTHING
}

function inputOf({ totals }: Spent): number {
  return Object.values(totals).reduce((sum, { input = 0 }) => sum + input, 0)
}

function remember(session: string, spent: Spent): void {
  sessions.delete(session)
  sessions.set(session, spent)
  for (const oldest of sessions.keys()) {
    if (sessions.size <= SESSIONS) break
    sessions.delete(oldest)
  }
}
