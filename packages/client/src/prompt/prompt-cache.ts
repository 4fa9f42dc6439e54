import { type Backoff, backoffMs } from '@svc/core/retry'

/** Returns the time in epoch milliseconds. */
type Now = () => number

interface Entry<T> {
  readonly value: T
  /** Epoch milliseconds from which the next `get` refreshes the value. */
  readonly refreshAt: number
  /** Consecutive refreshes that failed. */
  readonly failures: number
}

/** The variants of one name. Removed as a whole, with the loadings in progress. */
interface NameEntry<T> {
  readonly variants: Map<string, Entry<T>>
  readonly loading: Map<string, Promise<T>>
}

/** How to load a value that is not cached. */
export interface Loading<T> {
  readonly load: () => Promise<T>
  /** Loads in the background, for a value that is cached. */
  readonly refresh: () => Promise<T>
  /** Milliseconds for which a loaded value is fresh. */
  readonly freshFor: number
  /** Callers share a loading of the same variant if this key is equal, too. */
  readonly shareKey: string
}

/** What a cache does when a refresh failed. */
export interface RefreshFailure {
  /** Whether the error says that there is no such value any more. The stale one is then no longer used. */
  readonly isGone: (error: unknown) => boolean
  readonly report: (name: string, error: unknown) => void
}

/** Limits, because names and labels may contain user input. */
const MOST_NAMES = 1_000
const MOST_VARIANTS = 1_000

const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000, jitter: [1, 1] }

/**
 * Caches values by name and variant. A fresh value is returned; a stale one, too, while a new one is loaded in the
 * background; a missing one is loaded once for all concurrent callers. After a failed refresh the next one waits 1 s,
 * then 2 s, 4 s and so on, up to a minute; one that says that the value is gone ends it.
 */
export class PromptCache<T> {
  readonly #names = new Map<string, NameEntry<T>>()
  readonly #now: Now
  readonly #failure: RefreshFailure

  constructor(now: Now, failure: RefreshFailure) {
    this.#now = now
    this.#failure = failure
  }

  get(name: string, variant: string, loading: Loading<T>): Promise<T> {
    const entry = this.#entryOf(name)
    const cached = entry.variants.get(variant)
    if (!cached) return this.#load(entry, variant, loading)
    if (this.#now() >= cached.refreshAt && !entry.loading.has(variant)) {
      this.#load(entry, variant, { ...loading, load: loading.refresh, shareKey: '' }).catch((error) => {
        if (this.#failure.isGone(error)) entry.variants.delete(variant)
        else this.#postpone(entry, variant)
        this.#failure.report(name, error)
      })
    }
    return Promise.resolve(cached.value)
  }

  /** Returns the cached value, fresh or stale. */
  peek(name: string, variant: string): T | undefined {
    return this.#names.get(name)?.variants.get(variant)?.value
  }

  /** Loads a value even if it is cached. Later callers get it as a stale one. */
  async reload(name: string, variant: string, load: () => Promise<T>): Promise<T> {
    const entry = this.#entryOf(name)
    const value = await load()
    this.#keep(entry, variant, value, 0)
    return value
  }

  /** Removes all variants of `name`, and ignores the results of its loadings in progress. */
  forget(name: string): void {
    this.#names.delete(name)
  }

  #load(entry: NameEntry<T>, variant: string, { load, freshFor, shareKey }: Omit<Loading<T>, 'refresh'>): Promise<T> {
    const key = variant + shareKey
    const shared = entry.loading.get(key)
    if (shared) return shared
    const loading = load()
      .then((value) => {
        this.#keep(entry, variant, value, freshFor)
        return value
      })
      .finally(() => entry.loading.delete(key))
    entry.loading.set(key, loading)
    return loading
  }

  // `entry` may have been removed since the request: a late result must not restore the old value.
  #keep(entry: NameEntry<T>, variant: string, value: T, freshFor: number): void {
    entry.variants.delete(variant)
    entry.variants.set(variant, { value, refreshAt: this.#now() + freshFor, failures: 0 })
    const [oldest] = entry.variants.keys()
    if (entry.variants.size > MOST_VARIANTS && oldest !== undefined) entry.variants.delete(oldest)
  }

  #postpone(entry: NameEntry<T>, variant: string): void {
    const cached = entry.variants.get(variant)
    if (!cached) return
    const pause = backoffMs(cached.failures, BACKOFF)
    entry.variants.set(variant, { ...cached, refreshAt: this.#now() + pause, failures: cached.failures + 1 })
  }

  #entryOf(name: string): NameEntry<T> {
    const entry = this.#names.get(name) ?? { variants: new Map(), loading: new Map() }
    this.#names.delete(name)
    this.#names.set(name, entry)
    const [oldest] = this.#names.keys()
    if (this.#names.size > MOST_NAMES && oldest !== undefined) this.#names.delete(oldest)
    return entry
  }
}
