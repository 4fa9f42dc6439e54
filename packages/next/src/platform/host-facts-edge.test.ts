import { afterEach, expect, it, vi } from 'vitest'
import { flushesEachRequest, setHost } from '../host.ts'

vi.mock('#host-facts', () => import('./host-facts-edge.ts'))

afterEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for('svc.next.6'))
})

it.each([
  [undefined, true],
  ['auto', true],
  ['always', true],
  ['never', false],
] as const)('with flush: %s, spans of an edge runtime are delivered with each request: %s', (flush, delivered) => {
  vi.stubEnv('NEXT_RUNTIME', '')
  setHost({ flush })
  expect(flushesEachRequest()).toBe(delivered)
  vi.unstubAllEnvs()
})
