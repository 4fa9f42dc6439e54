import { ByteBudget } from '@svc/core/delivery/byte-budget'
import type { SealedBatch } from '@svc/core/delivery/sealed-batch'
import { describe, expect, it } from 'vitest'
import type { Spool } from '../../../core/src/delivery/spool/spool.ts'
import type { SpoolEntry } from '../../../core/src/delivery/spool/spool-file.ts'
import { batchOf, names, namesIn } from '../../test/support/batches.ts'
import { catchLog } from '../../test/support/console.ts'
import { GAVE_UP, MAX_AGE_MS, outboxWith } from '../../test/support/outbox.ts'
import { networkError, responseOf, taken } from '../../test/support/responses.ts'

const log = catchLog()

/** A batch as the spool gives it back, with its place on disk. */
const replayed = (...spans: readonly string[]): SealedBatch => {
  const entry = { items: spans.length } as SpoolEntry
  return batchOf(spans, { epoch: Number.POSITIVE_INFINITY, entry })
}

/** An outbox before a spool that keeps in memory what it is given; `works` says whether its disk does. */
function spooling(stored: SealedBatch[] = [], budget?: ByteBudget) {
  const disk = { works: true, done: 0, split: 0 }
  const spool = {
    get hasNext() {
      return stored.length > 0
    },
    take: () => stored.shift(),
    put(batch: SealedBatch) {
      if (disk.works) stored.push(batch)
      return disk.works
    },
    split: () => void disk.split++,
    done: () => void disk.done++,
  }
  const parts = outboxWith({ spool: () => spool as unknown as Spool, ...(budget && { budget }) })
  return { ...parts, stored, disk }
}

const spansOf = (sent: readonly { readonly spans: readonly string[] }[]) => sent.map(({ spans }) => spans.join())

describe('a batch in the spool', () => {
  it('is sent when the queue in memory is empty', () => {
    const { add, run, stored, disk } = spooling([replayed('old')])
    add(batchOf(['a']), batchOf(['b']))
    expect(spansOf(run(() => taken))).toEqual(['a', 'b', 'old'])
    expect([stored, disk.done]).toEqual([[], 1])
  })

  it('delays the end like a batch in memory', () => {
    const { outbox, state, clock } = spooling([replayed('old')])
    expect(outbox.wait()).toBe(0)
    state.failed({ kind: 'x', text: 'x' }, clock.now())
    expect(outbox.wait()).toBe(375)
  })

  it('is put back if it cannot be sent', () => {
    const { takeAll, clock, stored, outbox, disk, budget } = spooling([replayed('old')])
    const [first] = takeAll()
    expect(outbox.items).toBe(1)
    clock.pass(10)
    first?.settle(networkError('ECONNREFUSED'))
    expect([stored.length, outbox.items, disk.done, budget.used]).toEqual([1, 0, 0, 0])
  })

  it('is not waited for by a flush', () => {
    const { takeAll, outbox } = spooling([replayed('old')])
    takeAll()
    expect(outbox.holds(1_000)).toBe(false)
  })

  it('is removed with its last span', () => {
    const { add, run, disk, outcome } = spooling([replayed('poison', 'old')])
    add(batchOf(['a']))
    run((spans) => (spans.includes('poison') ? responseOf(400) : taken))
    add(batchOf(['b']))
    run((spans) => (spans.includes('poison') ? responseOf(400) : taken))
    expect(outcome()).toMatchObject({ pending: 0, dropped: { rejected: 1 } })
    expect(disk).toMatchObject({ split: 1, done: 2 })
  })

  it('stays there at the end of the process', () => {
    const { outbox, stored } = spooling([replayed('old')])
    outbox.end()
    expect([outbox.wait(), outbox.take(), stored.length]).toEqual([undefined, undefined, 1])
  })
})

describe('with a spool', () => {
  it('batches that are too old move there, and are not lost', () => {
    const { add, clock, takeAll, stored, outcome, state } = spooling()
    add(batchOf(['a', 'b']))
    state.failed({ kind: 'x', text: 'x' }, clock.now(), { afterMs: 2 * MAX_AGE_MS })
    clock.pass(MAX_AGE_MS + 1)
    takeAll()
    expect(stored).toMatchObject([{ items: 2 }])
    expect([outcome(), log.lines()]).toEqual([{ sent: 0, pending: 0, dropped: {} }, []])
  })

  it('batches that are too old are lost if the disk refuses them', () => {
    const { add, clock, takeAll, outcome, disk } = spooling()
    disk.works = false
    add(batchOf(['a', 'b']))
    clock.pass(MAX_AGE_MS + 1)
    takeAll()
    expect(outcome()).toEqual({ sent: 0, pending: 0, dropped: { max_retry_age: 2 } })
  })

  it('the oldest batches move there if memory is full', () => {
    const size = batchOf(['a']).body.length
    const { add, outbox, stored, budget } = spooling([], new ByteBudget(3 * size))
    add(batchOf(['a']), batchOf(['b']), batchOf(['c']))
    expect(outbox.spill(size + 1)).toBe(true)
    expect([stored.length, outbox.items, budget.used]).toEqual([2, 1, size])
    expect(outbox.spill(size)).toBe(true)
    expect(stored).toHaveLength(2)
  })

  it('memory stays full if the disk refuses writes, or all batches are in flight', () => {
    const size = batchOf(['a']).body.length
    const { add, outbox, disk, takeAll } = spooling([], new ByteBudget(size))
    add(batchOf(['a']))
    disk.works = false
    expect([outbox.spill(1), outbox.items]).toEqual([false, 1])
    disk.works = true
    takeAll()
    expect([outbox.spill(1), outbox.items]).toEqual([false, 1])
  })

  it('batches left at the end are moved there, and nothing is lost', () => {
    const { add, takeAll, outbox, stored, budget, outcome } = spooling()
    add(...names(6).map((name) => batchOf([name])))
    takeAll()
    outbox.end()
    outbox.close(GAVE_UP)
    expect([outcome().dropped, stored.length, outbox.items, budget.used]).toEqual([{}, 6, 0, 0])
  })

  it('batches left at the end are moved there by age, because a full spool drops what came first', () => {
    const { add, takeAll, outbox, stored, clock } = spooling()
    add(batchOf(['old']))
    const [old] = takeAll()
    clock.pass(1)
    add(batchOf(['new']))
    old?.settle(networkError('ECONNREFUSED'))
    outbox.close(GAVE_UP)
    expect(stored.flatMap(({ body }) => namesIn(body))).toEqual(['old', 'new'])
  })

  it('batches left at the end are lost if the disk refuses them', () => {
    const { add, outbox, disk, outcome } = spooling()
    add(batchOf(['a', 'b']))
    disk.works = false
    outbox.close(GAVE_UP)
    expect(outcome().dropped).toEqual({ shutdown: 2 })
  })

  it('an endpoint that did not respond once is not waited for at the end', () => {
    const { add, takeAll, clock, outbox } = spooling()
    add(batchOf(['a']))
    const [first] = takeAll()
    clock.pass(10)
    first?.settle(networkError('ECONNREFUSED'))
    outbox.end()
    expect([outbox.wait(), outbox.take()]).toEqual([undefined, undefined])
  })
})
