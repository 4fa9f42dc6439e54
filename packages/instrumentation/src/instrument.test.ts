import * as module from 'openai'
import { expect, it, vi } from 'vitest'
import { recordSpans } from '../test/spans.ts'
import { instrument } from './instrument.ts'

it('a library is known by what it exports, and instrumented once', () => {
  recordSpans()
  expect([instrument(module), instrument(module)]).toEqual([true, false])
})

it.each([[undefined], [null], [{}], ['openai'], [() => 1]])('%j is told and left alone', (exports) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(instrument(exports)).toBe(false)
  warn.mockRestore()
})
