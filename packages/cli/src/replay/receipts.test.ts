import { duplexPair } from 'node:stream'
import { expect, it } from 'vitest'
import { Receipts } from './receipts.ts'

it('receipts do not wait for a program that is left behind', () => {
  const [connection] = duplexPair()
  const receipts = new Receipts()
  receipts.listen(connection)
  expect(connection.destroyed).toBe(false)
  receipts.close()
  expect(connection.destroyed).toBe(true)
})
