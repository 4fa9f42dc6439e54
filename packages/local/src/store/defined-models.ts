import { log } from '@svc/core/log'
import { LONGEST_NAME } from '../price/estimate.ts'
import type { StoredModel } from './model.ts'
import type { StoredObservation } from './observation.ts'
import { finishes, fits, type Pattern, switchOffIfSlow } from './pattern.ts'

type Call = Pick<StoredObservation, 'model' | 'usage'>

/** Milliseconds that the patterns of all models may take for one batch. What they did not get to by then fits none. */
const BATCH_MS = 100
const REMEMBERED = 10_000

/** The models that were defined, by the names that fit them. Patterns run in {@link DefinedModels.learn} only. */
export class DefinedModels {
  readonly #models: readonly StoredModel[]
  readonly #conditions: readonly Pattern[]
  readonly #byName = new Map<string, readonly StoredModel[]>()
  readonly #kinds = new Map<string, boolean>()

  constructor(models: readonly StoredModel[]) {
    this.#models = models
    this.#conditions = models.flatMap(({ pricingTiers }) =>
      pricingTiers.flatMap(({ conditions }) =>
        conditions.flatMap((condition) => ('source' in condition ? [] : [conditionPattern(condition)])),
      ),
    )
  }

  /** Finds what fits the names and the kinds of usage of calls. */
  learn(calls: readonly Call[]): void {
    if (this.#models.length === 0) return
    if (this.#byName.size + this.#kinds.size > REMEMBERED) this.#forget()
    let running: readonly [Pattern, string] | undefined
    const matches = (pattern: Pattern, text: string) => {
      running = [pattern, text]
      return fits(pattern, text)
    }
    const done = finishes(BATCH_MS, () => {
      for (const { model } of calls) {
        if (model === null || model.length > LONGEST_NAME || this.#byName.has(model)) continue
        const fitting = this.#models.filter(({ matchPattern }) => matches({ source: matchPattern }, model))
        this.#byName.set(model, fitting)
      }
      if (this.#conditions.length === 0) return
      for (const kind of new Set(calls.flatMap(({ usage }) => Object.keys(usage)))) {
        for (const pattern of this.#conditions) {
          const key = kindKey(pattern, kind)
          if (!this.#kinds.has(key)) this.#kinds.set(key, matches(pattern, kind))
        }
      }
    })
    if (done || !running || switchOffIfSlow(...running)) return
    log.once(
      'warn',
      `Costs of some calls are missing: a batch had more names of models than the patterns of ${this.#models.length} models ` +
        `could be tried on in ${BATCH_MS} ms. Delete models that are not used.`,
      'names of models',
    )
  }

  /** The models that a name fits. */
  fitting(name: string): readonly StoredModel[] {
    return this.#byName.get(name) ?? []
  }

  /** Whether a kind of usage fits the pattern of a condition. */
  isKind(pattern: Pattern, kind: string): boolean {
    return this.#kinds.get(kindKey(pattern, kind)) ?? false
  }

  #forget(): void {
    this.#byName.clear()
    this.#kinds.clear()
  }
}

const kindKey = ({ source, flags }: Pattern, kind: string) => JSON.stringify([flags, source, kind])

/** The pattern of a condition on the tokens that were used. */
export const conditionPattern = (condition: {
  readonly usageDetailPattern: string
  readonly caseSensitive: boolean
}): Pattern => ({ source: condition.usageDetailPattern, flags: condition.caseSensitive ? '' : 'i' })
