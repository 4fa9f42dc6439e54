import { expect, it, vi } from 'vitest'
import { type RegisterSvcOptions, readOptions } from './options.ts'

it('options of registerSvc are read if they are valid, and may be omitted', () => {
  const options = { nextSpans: 'keep', flush: 'never', serviceName: 'shop' } as const
  expect(readOptions(options)).toEqual(options)
  for (const nothing of [undefined, null]) expect(readOptions(nothing as undefined)).toEqual({})
})

it('an invalid option of registerSvc is named and ignored', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const options = { nextSpans: 'silent', flush: true, serviceName: 'shop' } as unknown as RegisterSvcOptions
  expect(readOptions(options)).toEqual({ serviceName: 'shop' })
  const lines = warn.mock.calls.map(([line]) => String(line))
  expect(lines.map((line) => line.replace(/^.*\[WARN\] /, ''))).toEqual([
    'option nextSpans of registerSvc is ignored: expected one of "mute", "drop", "keep".',
    'option flush of registerSvc is ignored: expected one of "auto", "always", "never".',
  ])
})
