import { expect, it, vi } from 'vitest'
import { CollectedOutput } from './collected-output.ts'

vi.mock('@svc/core/on-server', () => ({ ON_SERVER: false }))

const bytes = (text: string) => [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte))

it.each<readonly [string, unknown[], string | undefined]>([
  ['nothing', [], undefined],
  ['texts', ['a', 'b'], 'ab'],
  ['bytes across a split character', bytes('\ufeffgrün'), 'grün'],
  ['bytes and a text', [...bytes('ä'), 'b', ...bytes('ä')], 'äbä'],
  ['bytes and a value', [...bytes('ä'), { done: true }], '["ä",{"done":true}]'],
  ['bytes that are no text', [Uint8Array.of(0x61), Uint8Array.of(0xff), new Uint8Array(998)], '[1000 bytes]'],
])('of %s an edge runtime collects what a server does', (_, pieces, expected) => {
  const all = new CollectedOutput()
  for (const piece of pieces) all.add(piece)
  expect(all.output).toBe(expected)
})
