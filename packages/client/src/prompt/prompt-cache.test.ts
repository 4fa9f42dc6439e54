import { describe, expect, it } from 'vitest'
import { type Loading, PromptCache } from './prompt-cache.ts'

/** A cache with a clock in hand, and loads that settle when a test says so. */
function setUp() {
  const failures: string[] = []
  const loads: PromiseWithResolvers<string>[] = []
  const time = { now: 0 }
  const cache = new PromptCache<string>(() => time.now, {
    isGone: (error) => error === 'gone',
    report: (name, error) => failures.push(`${name}: ${error}`),
  })
  const load = () => {
    const loading = Promise.withResolvers<string>()
    loads.push(loading)
    return loading.promise
  }
  const loading: Loading<string> = { load, refresh: load, freshFor: 60_000, shareKey: '' }
  const get = (name = 'a', more: Partial<Loading<string>> = {}, variant = 'label production') =>
    cache.get(name, variant, { ...loading, ...more })
  /** What is known of `name` from now on, without waiting for the loading it may start. */
  const known = async (value: string, name = 'a') => {
    const first = get(name)
    loads.at(-1)?.resolve(value)
    await first
  }
  return { cache, get, known, load, loads, failures, time }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the cache of prompts', () => {
  it('a fresh value is not loaded again', async () => {
    const { get, known, loads, time } = setUp()
    await known('one')
    time.now = 59_999
    expect(await get()).toBe('one')
    expect(loads).toHaveLength(1)
  })

  it('a stale value is returned at once, and replaced in the background by a single load', async () => {
    const { get, known, loads, time } = setUp()
    await known('one')
    time.now = 60_000
    expect(await Promise.all([get(), get(), get()])).toEqual(['one', 'one', 'one'])
    expect(loads).toHaveLength(2)
    loads[1]?.resolve('two')
    await settled()
    expect(await get()).toBe('two')
    expect(loads).toHaveLength(2)
  })

  it('a value that is gone is loaded anew by the next call', async () => {
    const { get, known, loads, time, failures } = setUp()
    await known('one')
    time.now = 60_000
    expect(await get()).toBe('one')
    loads[1]?.reject('gone')
    await settled()
    expect(failures).toEqual(['a: gone'])
    const next = get()
    loads[2]?.reject('gone')
    await expect(next).rejects.toBe('gone')
  })

  it('a refresh that fails is reported, and the stale value stays', async () => {
    const { get, known, loads, time, failures } = setUp()
    await known('one')
    time.now = 60_000
    await Promise.all([get(), get()])
    loads[1]?.reject('down')
    await settled()
    expect(failures).toEqual(['a: down'])
    expect(await get()).toBe('one')
    expect(loads).toHaveLength(2)
  })

  it('a refresh that failed is repeated after a pause, which doubles up to a minute', async () => {
    const { get, known, loads, time } = setUp()
    await known('one')
    time.now = 60_000
    const pauses: number[] = []
    for (let failed = 1; failed <= 8; failed++) {
      void get()
      loads[failed]?.reject('down')
      await settled()
      const before = time.now
      for (; loads.length === failed + 1; time.now += 500) expect(await get()).toBe('one')
      pauses.push(time.now - 500 - before)
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  it('a refresh that succeeded after failures ends the pauses', async () => {
    const { get, known, loads, time } = setUp()
    await known('one')
    time.now = 60_000
    void get()
    loads[1]?.reject('down')
    await settled()
    time.now = 61_000
    void get()
    loads[2]?.resolve('two')
    await settled()
    time.now = 120_999
    expect(await get()).toBe('two')
    expect(loads).toHaveLength(3)
    time.now = 121_000
    void get()
    loads[3]?.reject('down')
    await settled()
    time.now = 122_000
    void get()
    expect(loads).toHaveLength(5)
  })

  it('callers during the first load share it', async () => {
    const { get, loads } = setUp()
    const both = Promise.all([get(), get()])
    expect(loads).toHaveLength(1)
    loads[0]?.resolve('one')
    expect(await both).toEqual(['one', 'one'])
  })

  it('a first load that fails rejects for all its callers, and the next call loads again', async () => {
    const { get, loads } = setUp()
    const both = Promise.allSettled([get(), get()])
    loads[0]?.reject('down')
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const again = get()
    loads[1]?.resolve('one')
    expect(await again).toBe('one')
  })

  it('callers with another shareKey do not share a load', () => {
    const { get, loads } = setUp()
    void get('a', { shareKey: '[100,0]' })
    void get('a', { shareKey: '[200,0]' })
    expect(loads).toHaveLength(2)
  })

  it('a version and a label of the same name are two variants', () => {
    const { get, loads } = setUp()
    void get('a', {}, 'version 1')
    void get('a', {}, 'label 1')
    expect(loads).toHaveLength(2)
  })

  it('a name is removed with all its versions, and no other name with the same prefix', async () => {
    const { cache, get, known, loads } = setUp()
    await known('one', 'foo')
    await known('two', 'foobar')
    cache.forget('foo')
    expect(await get('foobar')).toBe('two')
    void get('foo')
    expect(loads).toHaveLength(3)
  })

  it('a load that was in progress when its name was removed does not restore the value', async () => {
    const { cache, get, loads } = setUp()
    const before = get()
    cache.forget('a')
    loads[0]?.resolve('old')
    expect(await before).toBe('old')
    const after = get()
    loads[1]?.resolve('new')
    expect(await after).toBe('new')
    expect(await get()).toBe('new')
  })

  it('a reload loads each time, and other callers receive its value as a stale one', async () => {
    const { cache, get, known, load, loads } = setUp()
    await known('one')
    const reloaded = cache.reload('a', 'label production', load)
    loads[1]?.resolve('two')
    expect(await reloaded).toBe('two')
    expect(await get()).toBe('two')
    expect(loads).toHaveLength(3)
  })

  it('the cache keeps the 1,000 most recently used names', async () => {
    const { get, known, loads } = setUp()
    await known('kept', 'kept')
    for (let at = 0; at < 1_500; at += 1) {
      await known('one', `name ${at}`)
      await get('kept')
    }
    expect(loads).toHaveLength(1_501)
    void get('name 0')
    void get('name 1499')
    expect(loads).toHaveLength(1_502)
  })

  it('the cache keeps the 1,000 labels and versions of a name that were loaded last', async () => {
    const { get, loads } = setUp()
    for (let at = 0; at <= 1_000; at += 1) {
      const first = get('a', {}, `label ${at}`)
      loads.at(-1)?.resolve('one')
      await first
    }
    await get('a', {}, 'label 1')
    expect(loads).toHaveLength(1_001)
    void get('a', {}, 'label 0')
    expect(loads).toHaveLength(1_002)
  })
})
