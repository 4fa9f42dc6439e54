import fs from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HEAD_SIZE, HEADER_SIZE } from '../../packages/core/src/delivery/spool/format.ts'
import { catchLog } from '../../packages/core/test/support/console.ts'
import { batch, spools, texts } from '../../packages/core/test/support/spools.ts'
import { damage, fuzz, type Mutation, mutated, mutations } from './fuzz.ts'

catchLog()
const { started, leave, files, bytes, inFolder } = spools()

const bodies = fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 8 })

/** Leaves batches, changes their file, and reads it: what is to be sent, what of it was changed, and the ledger. */
async function readChanged(each: readonly string[], changes: readonly Mutation[]) {
  for (const path of files()) fs.rmSync(path, { recursive: true })
  const sent = each.map((body, at) => `${at}:${body}`)
  leave(...sent.map((body) => batch(body)))
  const whole = Buffer.from(bytes())
  const changed = mutated(whole, changes)
  for (const path of files()) fs.rmSync(path)
  fs.writeFileSync(inFolder('ab-1-0-1-0.left'), changed, { mode: 0o600 })
  let at = HEADER_SIZE
  const untouched = sent.filter((body) => {
    const record = whole.subarray(at, at + HEAD_SIZE + Buffer.byteLength(body))
    const isSame = record.equals(changed.subarray(at, at + record.length))
    at += record.length
    return isSame
  })
  const hasHeader = whole.subarray(0, HEADER_SIZE).equals(changed.subarray(0, HEADER_SIZE))
  const { takeAll, spool, ledger } = started()
  const batches = await takeAll()
  for (const { entry } of batches) if (entry) spool.done(entry)
  spool.close()
  const again = await started().takeAll()
  return { sent, untouched: hasHeader ? untouched : [], found: texts(batches), again, ledger }
}

it('of a damaged spool file each record that is whole is sent, and each that is known is counted', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, damage, async (each, changes) => {
      const { untouched, found, again, ledger } = await readChanged(each, changes)
      expect(found).toEqual(untouched)
      expect([again, ledger.ended]).toEqual([[], found.length + (ledger.dropped.spool ?? 0)])
    }),
    fuzz(2_000),
  )
}, 120_000)

it('of a spool file that was changed in any way nothing is sent that was not written, and nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, mutations, async (each, changes) => {
      const { sent, found, again, ledger } = await readChanged(each, changes)
      expect(found.filter((body) => !sent.includes(body))).toEqual([])
      expect(new Set(found).size).toBe(found.length)
      expect([again, ledger.ended]).toEqual([[], found.length + (ledger.dropped.spool ?? 0)])
    }),
    fuzz(2_000),
  )
}, 120_000)
