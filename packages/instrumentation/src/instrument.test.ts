import { createRequire } from 'node:module'
import { configureGlobalLogger, LogLevel } from '@svc/core/log'
import * as module from 'openai'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordSpans } from '../test/spans.ts'
import { instrument } from './instrument.ts'

let logged: string[] = []
recordSpans()
beforeEach(() => {
  logged = []
  configureGlobalLogger({ level: LogLevel.WARN, enableTimestamp: false })
  vi.spyOn(console, 'warn').mockImplementation((line) => logged.push(String(line)))
})
afterEach(() => vi.restoreAllMocks())

it('instrument() recognizes a library by its exports, and instruments it once', () => {
  // A copy of its own, which no other test has instrumented.
  const exports = createRequire(import.meta.url)('openai')
  expect([instrument(exports), instrument(exports)]).toEqual([true, false])
  expect(logged).toEqual([])
})

it('instrument() accepts a client class', () => {
  instrument(module)
  expect(instrument(module.OpenAI)).toBe(false)
  expect(logged).toEqual([])
})

it('instrument() recognizes Anthropic clients for other platforms', () => {
  class BaseAnthropic {
    post() {}
    makeRequest() {}
  }
  class AnthropicVertex extends BaseAnthropic {}
  const exports = { AnthropicVertex, BaseAnthropic, default: AnthropicVertex }
  expect([instrument(exports), instrument(exports)]).toEqual([true, false])
})

it.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [{}, 'object'],
  ['openai', 'string'],
  [() => 1, 'function'],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'a, b, c, d, e, …'],
  [{ Client: class Client {} }, 'Client'],
  [{ OpenAI: {} }, 'OpenAI'],
])('instrument() warns once about %j, and leaves it unchanged', (exports, what) => {
  expect([instrument(exports), instrument(exports)]).toEqual([false, false])
  expect(logged).toEqual([expect.stringContaining(`does not know this library (${what}). Pass the result`)])
})

it('instrument() ignores exports that throw when they are read', () => {
  const hostile = Object.defineProperty({}, 'OpenAI', {
    get() {
      throw new Error('not yet')
    },
  })
  expect(instrument(hostile)).toBe(false)
})

it('instrument() logs advice for a library that cannot be instrumented in a bundle', () => {
  expect(instrument({ generateText() {}, streamText() {} })).toBe(false)
  expect(logged).toEqual([expect.stringContaining('experimental_telemetry: { isEnabled: true }')])
})

it('instrument() logs nothing for the AI SDK 7, which needs no instrumentation', () => {
  expect(instrument({ generateText() {}, registerTelemetry() {} })).toBe(false)
  expect(logged).toEqual([])
})

it('instrument() accepts several libraries', () => {
  expect(
    instrument(module, {
      Ollama: class Ollama {
        chat() {}
      },
    }),
  ).toBe(true)
  expect(logged).toEqual([])
})
