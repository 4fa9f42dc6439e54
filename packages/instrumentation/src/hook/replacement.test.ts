import { describe, expect, it } from 'vitest'
import { reachable } from './replacement.ts'

const replacement = reachable({ urls: new Set(), name: 'handler', replace: (value) => value && 'replaced' })

describe('an export of CommonJS is replaced', () => {
  it('in its exports', () => {
    const module = { exports: { handler: 'own', other: 1 } }
    const { exports } = module
    replacement.inModule(module)
    expect(module.exports).toBe(exports)
    expect(exports).toEqual({ handler: 'replaced', other: 1 })
  })

  it.each([
    ['defined by a bundler', Object.defineProperty({ other: 1 }, 'handler', { get: () => 'own', enumerable: true })],
    ['frozen', Object.freeze({ handler: 'own', other: 1 })],
  ])('in others, if they are %s', (_, exports) => {
    const module = { exports }
    replacement.inModule(module)
    expect(module.exports).toEqual({ handler: 'replaced', other: 1 })
  })

  it.each([[{ other: 1 }], ['text'], [null]])('but not of %j', (exports) => {
    const module = { exports }
    replacement.inModule(module)
    expect(module.exports).toBe(exports)
  })
})
