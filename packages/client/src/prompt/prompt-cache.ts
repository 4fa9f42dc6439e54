/** When the time is, and nothing else of a clock. */
type Now = () => number

interface Entry<T> {
  readonly value: T
  /** Epoch milliseconds after which the value is stale. */
  readonly freshUntil: number
}

/** Everything known of one name. Dropped as a whole, with what is still on its way. */
interface Room<T> {
  readonly entries: Map<string, Entry<T>>
  readonly underway: Map<string, Promise<T>>
}

/** How to get a value that is not there. */
export interface Loading<T> {
  readonly load: () => Promise<T>
  /** The same, where nobody waits for it. */
  readonly refresh: () => Promise<T>
  /** Milliseconds a loaded value counts as fresh. */
  readonly freshFor: number
  /** Which callers may share one loading, beside asking for the same variant. */
  readonly manner: string
}

/** Names are few; those made of user input may be many. */
const MOST_NAMES = 1_000

/**
 * Values by name and variant. A fresh one is given as it is; a stale one too, while one loading in the background
 * replaces it; what is not there is loaded once for all who ask at the same time.
 */
export class PromptCache<T> {
  readonly #rooms = new Map<string, Room<T>>()
  readonly #now: Now
  readonly #refreshFailed: (name: string, error: unknown) => void

  constructor(now: Now, refreshFailed: (name: string, error: unknown) => void) {
    this.#now = now
    this.#refreshFailed = refreshFailed
  }

  get(name: string, variant: string, loading: Loading<T>): Promise<T> {
    const room = this.#room(name)
    const known = room.entries.get(variant)
    if (!known) return this.#load(room, variant, loading)
    if (this.#now() >= known.freshUntil && !room.underway.has(variant)) {
      this.#load(room, variant, { ...loading, load: loading.refresh, manner: '' }).catch((error) =>
        this.#refreshFailed(name, error),
      )
    }
    return Promise.resolve(known.value)
  }

  /** What is known, however old. */
  known(name: string, variant: string): T | undefined {
    return this.#rooms.get(name)?.entries.get(variant)?.value
  }

  /** Loads whatever is known. What comes is known to later callers as just gone stale. */
  async reload(name: string, variant: string, load: () => Promise<T>): Promise<T> {
    const room = this.#room(name)
    const value = await load()
    this.#keep(room, variant, value, 0)
    return value
  }

  /** Forgets what is known of `name` (of no other), and what is on its way. */
  forget(name: string): void {
    this.#rooms.delete(name)
  }

  #load(room: Room<T>, variant: string, { load, freshFor, manner }: Omit<Loading<T>, 'refresh'>): Promise<T> {
    const key = variant + manner
    const underway = room.underway.get(key)
    if (underway) return underway
    const loading = load()
      .then((value) => {
        this.#keep(room, variant, value, freshFor)
        return value
      })
      .finally(() => room.underway.delete(key))
    room.underway.set(key, loading)
    return loading
  }

  // A room that was forgotten meanwhile is nobody's any more: what comes too late cannot bring the old value back.
  #keep(room: Room<T>, variant: string, value: T, freshFor: number): void {
    room.entries.set(variant, { value, freshUntil: this.#now() + freshFor })
  }

  #room(name: string): Room<T> {
    const room = this.#rooms.get(name) ?? { entries: new Map(), underway: new Map() }
    this.#rooms.delete(name)
    this.#rooms.set(name, room)
    const [oldest] = this.#rooms.keys()
    if (this.#rooms.size > MOST_NAMES && oldest !== undefined) this.#rooms.delete(oldest)
    return room
  }
}
