import { trace } from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { versionAround, versionOfCaller } from './api-version.ts'

it('the version of a package is that of the copy which calls', () => {
  let found: string | undefined
  const getTracer = (): never => {
    found = versionOfCaller(getTracer)
    throw new Error('seen')
  }
  trace.setGlobalTracerProvider({ getTracer })
  expect(() => trace.getTracer('any')).toThrow('seen')
  trace.disable()
  expect(found).toMatch(/^1\.1\d\.\d+$/)
})

it('the version of a copy in a bundle is the last one before its function', () => {
  const text = 'var a="1.30.1";var V="1.9.0";function register(){};var later="1.11.0"'
  expect(versionAround(text.replaceAll(';', '\n'), 3, 10)).toBe('1.9.0')
  expect(versionAround(text, 1, text.indexOf('register'))).toBe('1.9.0')
  expect(versionAround(text, 1, text.indexOf('V='))).toBe('1.30.1')
})

it('where a bundler has sorted otherwise, it is the next one', () => {
  expect(versionAround('function register(){}\nvar V="1.10.0", other="1.30.0"', 1, 10)).toBe('1.10.0')
  expect(versionAround('nothing', 1, 3)).toBeUndefined()
})
