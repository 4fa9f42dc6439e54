import { expect, it } from 'vitest'
import { rangesIn } from './address-ranges.ts'
import { isWithin } from './is-within.ts'

it.each([
  '',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '10.0.0.0/',
  'fd00::/129',
  'fe80::1%eth0',
  'orders',
  '*',
  '__proto__',
  'constructor',
  '10.0.0.0/1e1',
])('%j is no range of addresses', (name) => {
  expect(rangesIn(name)).toBeUndefined()
})

it.each([
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['11.1.2.3', ['10.0.0.0/8'], false],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:11.1.2.3', ['10.0.0.0/8'], false],
  ['fd00::7', ['fd00::/8'], true],
  ['fe80::1%eth0', ['fe80::/10'], true],
  ['2001:db8::1', ['fd00::/8', '10.0.0.0/8'], false],
  ['192.0.2.7', ['192.0.2.7'], true],
  ['192.0.2.8', ['192.0.2.7'], false],
  ['127.9.9.9', ['loopback'], true],
  ['::1', ['loopback'], true],
  ['::ffff:127.0.0.1', ['loopback'], true],
  ['192.0.2.8', ['loopback', '192.0.2.0/24'], true],
  ['192.0.2.8', ['0.0.0.0/0'], true],
  ['::1', ['0.0.0.0/0'], false],
  [undefined, ['0.0.0.0/0', '::/0'], false],
  ['', ['0.0.0.0/0'], false],
  ['10.0.0.1, 127.0.0.1', ['loopback'], false],
  ['127.0.0.1', [], false],
])('whether %s is within %j: %s', (address, ranges, expected) => {
  expect(
    isWithin(
      address,
      ranges.flatMap((name) => rangesIn(name) ?? []),
    ),
  ).toBe(expected)
})

it('what is no range of addresses trusts nobody, and throws nothing', () => {
  expect(isWithin('127.0.0.1', ['loopback', 'orders'])).toBe(false)
})
