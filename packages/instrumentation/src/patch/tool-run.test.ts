import { describe, expect, it } from 'vitest'
import { copyWith } from './tool-run.ts'

describe('a copy of a tool with another field', () => {
  it('has all properties of the original, also non-enumerable ones and symbols', () => {
    const mark = Symbol('mark')
    const original = Object.defineProperty({ name: 'look', [mark]: 1 }, '$callback', { value: () => 'own' })
    const copy = copyWith(original, '$callback', () => 'other') as typeof original & { $callback(): string }
    expect([copy.name, copy[mark], copy.$callback()]).toEqual(['look', 1, 'other'])
    expect(Object.keys(copy)).toEqual(['name'])
  })

  it('is not made of class instances, whose methods may need private fields', () => {
    class Tool {
      run() {}
    }
    expect(copyWith(new Tool(), 'run', () => {})).toBeUndefined()
  })
})
