import type { Attributes } from '@opentelemetry/api'
import { OTHER } from '@svc/core/attributes/metrics'
import { foreignText } from '@svc/core/foreign-text'

/** Most values of one attribute: what callers name must not become ever more time series. */
const VALUES = 200
/** Longer than any name: what is longer is not looked at. */
const LONGEST = 200

/** Bounds the values of each attribute. The first ones stay, all others are one. */
export class BoundedValues {
  readonly #known = new Map<string, Map<string, string>>()

  /** @returns attributes without those that have no value */
  of(attributes: Readonly<Record<string, unknown>>): Attributes {
    const bounded: Attributes = {}
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === 'string' && value !== '') bounded[name] = this.#bound(name, value)
      else if (typeof value === 'number' && this.#bound(name, String(value)) !== OTHER) bounded[name] = value
    }
    return bounded
  }

  #bound(name: string, value: string): string {
    if (value.length > LONGEST) return OTHER
    const known = this.#known.get(name) ?? new Map<string, string>()
    if (known.size === 0) this.#known.set(name, known)
    const bounded = known.get(value)
    if (bounded !== undefined) return bounded
    if (known.size >= VALUES) return OTHER
    const text = foreignText(value)
    known.set(value, text)
    return text
  }
}
