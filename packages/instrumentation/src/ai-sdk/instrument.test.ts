import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { edit as editAi } from './instrument.ts'
import { SLOT } from './source-edits.ts'

const OURS = /svc\.ai-telemetry\.6"\)\]\??\.(\w+)/g

/** The names of our hooks in the edited source, each once. */
function hooksIn(folder: string, name: string, extension: string): string[] {
  const from = createRequire(new URL(`../../../../test/instrumentation/${folder}/package.json`, import.meta.url))
  const source = readFileSync(from.resolve(name).replace(/\.js$/, extension), 'utf8')
  const { source: edited, missing } = editAi(source, name.split('-')[1])
  expect(missing).toEqual([])
  expect(edited.split('\n')).toHaveLength(source.split('\n').length)
  expect(edited.match(/\.model\?\.\(\w+, \([^)]*\), true\)/g)?.length).toBeGreaterThanOrEqual(2)
  expect(edited.match(/\.tap \?\?/g)).toHaveLength(2)
  return [...new Set([...edited.matchAll(OURS)].map(([, hook = '']) => hook))].sort()
}

const STREAMS = ['branch', 'model', 'started', 'tap']
const TELEMETRY = ['enabled', 'settle', 'tracer']

it.each(['.js', '.mjs'])('the source of the AI SDK 5 and 6 calls our hooks, in %s', (extension) => {
  for (const [folder, name] of [
    ['ai-5', 'ai-5'],
    ['ai-6-first', 'ai-6.0'],
    ['ai-6', 'ai-6'],
  ] as const) {
    const asked = folder === 'ai-5' ? [] : ['asked']
    const telemetry = ['aborted', 'objectFailed', ...asked, ...TELEMETRY]
    expect(hooksIn(folder, name, extension)).toEqual([...telemetry, ...STREAMS].sort())
  }
  // There aborted streams end by themselves.
  expect(hooksIn('ai-5-first', 'ai-5.0', extension)).toEqual(['objectFailed', ...STREAMS, ...TELEMETRY].sort())
})

it('edited source behaves as the original if our hooks cannot be loaded', () => {
  const select = 'function selectTelemetryAttributes({ telemetry, attributes }) { return [telemetry, attributes] }'
  const { source: changed } = editAi(`function getTracer({ isEnabled = false }) { return isEnabled }\n${select}`)
  Reflect.set(globalThis, Symbol.for(SLOT), {})
  const [isEnabled, selected] = runInThisContext(
    `${changed}; [getTracer({}), selectTelemetryAttributes({ telemetry: 1, attributes: 2 })]`,
  )
  expect([isEnabled, selected]).toEqual([false, [1, 2]])
})

it('edits that find no place in the source of a later version are reported as missing', () => {
  const calls = 'its calls'
  const streams = 'how a stream ends that is not read to its end'
  expect(editAi('export const nothing = 1', '6.9.0')).toEqual({
    source: 'export const nothing = 1',
    missing: [calls, streams],
  })
  expect(editAi('export const nothing = 1', '7.9.0').missing).toEqual([streams])
  const telemetry =
    'function getTracer({ isEnabled = false }) {} function selectTelemetryAttributes({ telemetry, attributes }) {}'
  const objects = 'whether a streamed object fits its schema'
  expect(editAi(telemetry, '6.9.0').missing).toEqual([objects, streams])
})

it('the source of the AI SDK 7 calls our hooks for streams', () => {
  expect(hooksIn('ai-7-first', 'ai-7.0', '.js')).toEqual(STREAMS)
  expect(hooksIn('ai-7', 'ai-7', '.js')).toEqual(STREAMS)
})
