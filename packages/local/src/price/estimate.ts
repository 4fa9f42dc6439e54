import { PRICES, type Price } from './prices.ts'

/** Longer texts are no names of models, and are not matched. */
export const LONGEST_NAME = 200
const MILLION = 1_000_000
const REMEMBERED = 1_000
const PATTERNS = PRICES.map((price) => ({ price, pattern: new RegExp(price.pattern, 'i') }))
const found = new Map<string, Price | undefined>()

/** US dollars of a call by the built-in list prices; null when the model is not among them, or no token was counted. */
export function estimatedCost(model: string | null, usage: Readonly<Record<string, number>>): number | null {
  if (model === null || model.length > LONGEST_NAME || Object.keys(usage).length === 0) return null
  const price = priceOf(model)
  if (!price) return null
  const usd = Object.entries(usage).map(([kind, tokens]) => tokens * rateOf(kind, price))
  return usd.reduce((sum, each) => sum + each, 0) / MILLION
}

function priceOf(model: string): Price | undefined {
  if (found.has(model)) return found.get(model)
  if (found.size >= REMEMBERED) found.clear()
  const price = PATTERNS.find(({ pattern }) => pattern.test(model))?.price
  found.set(model, price)
  return price
}

function rateOf(kind: string, { input, output, cached = input, written = input }: Price): number {
  if (/cache_(?:creation|write)/.test(kind)) return written
  if (/cache/.test(kind)) return cached
  if (kind.startsWith('input')) return input
  return kind.startsWith('output') ? output : 0
}
