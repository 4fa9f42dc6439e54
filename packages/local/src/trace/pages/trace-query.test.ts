import { expect, it } from 'vitest'
import { entry, span } from '../../../test/support/span.ts'
import { Store } from '../../store/store.ts'
import { readTraceQuery } from './trace-query.ts'

it.each([
  ['0% O', ['50% off']],
  ['a_b', ['a_b']],
  ['c:\\', ['c:\\temp']],
  ["o'", ["o'neil"]],
  ['OFF', ['50% off', '500 off']],
  ['ada', ['by ada']],
  ['00000000c', ['by ada']],
  ['zzz', []],
])('a search for %s finds the names, users and ids that have it as it stands', (search, expected) => {
  const store = new Store()
  for (const [at, name] of ['50% off', '500 off', 'a_b', 'axb', 'c:\\temp', "o'neil", 'by ada'].entries()) {
    const traceId = name === 'by ada' ? '0'.repeat(8) + 'c'.repeat(24) : String(at + 1).repeat(32)
    const attributes = name === 'by ada' ? { 'user.id': 'ada' } : {}
    const received = span({ name, traceId, attributes })
    store.save([entry(received)], 1)
  }
  const { where } = readTraceQuery(new URLSearchParams({ search }), () => [])
  const found = store.traces.find({ sql: `WHERE ${where.sql} ORDER BY seq`, values: where.values })
  expect(found.map(({ name }) => name)).toEqual(expected)
  store.close()
})
