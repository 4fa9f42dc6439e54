import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { edited } from './apply-edits.ts'
import { streamsHeard, telemetryOn } from './source-edits.ts'

const withTelemetryOn = (source: string) => edited(source, telemetryOn(source))
const withStreamsHeard = (source: string) => edited(source, streamsHeard(source))

const resolve = createRequire(import.meta.url).resolve

it('source that reads otherwise stays as it is', () => {
  const seven = readFileSync(resolve('ai'), 'utf8')
  expect(withTelemetryOn(seven)).toBe(seven)
  const half = 'function getTracer({ isEnabled = false, tracer } = {}) {}'
  expect(withTelemetryOn(half)).toBe(half)
})

it('no line moves', () => {
  const source = [
    'function getTracer({',
    '  isEnabled = false,',
    '  tracer',
    '} = {}) { return isEnabled }',
    'async function selectTelemetryAttributes({',
    '  telemetry,',
    '  attributes',
    '}) {',
    '  return telemetry',
    '}',
  ]
  const changed = withTelemetryOn(source.join('\n')).split('\n')
  expect(changed).toHaveLength(source.length)
  expect(changed.filter((line, index) => line !== source[index])).toEqual([
    expect.stringContaining('isEnabled = (globalThis'),
    expect.stringContaining('({ telemetry, attributes } = globalThis'),
  ])
})

it('a model is asked, and a stream is taken, as without anybody who listens', () => {
  const source = ['const answer = await stepModel.doStream({', '});', 'this.teeStream().pipeThrough(', ');']
  const heard = withStreamsHeard(source.join('\n'))
  expect(heard.split('\n')).toHaveLength(source.length)
  const run = new Function('stepModel', `return async function () { ${heard} return answer }`)
  const stream = { pipeThrough: () => {} }
  const answer = run({ doStream: () => 'asked' }).call({ teeStream: () => stream })
  return expect(answer).resolves.toBe('asked')
})

it.each(['(model.doStream(transformedParams))', 'this.model.doGenerate({})', 'model.doStreams({})'])(
  '%s stays',
  (source) => {
    expect(withStreamsHeard(source)).toBe(source)
  },
)

it('what a model streams is heard apart, unless the source shows who reads it first', () => {
  const asks = 'const answer = await stepModel.doStream({'
  const reads = `
      const forwardStream = new TransformStream({
        async transform(chunk, controller) {
          controller.enqueue(chunk);
        }
      });`
  expect(withStreamsHeard(asks)).toContain(', false)')
  expect(withStreamsHeard(asks + reads)).toContain(', true)')
})

it('a model may be asked for one answer alone, by nobody who has a name for the call', () => {
  const asks = 'const result = await resolvedModel.doStream({'
  const direct = `async function streamLanguageModelCall({ callId }) {\n\t${asks}`
  expect(withStreamsHeard(direct)).toContain(', callId === undefined)')
  expect(withStreamsHeard(`${direct}\n}\nasync function other() {\n${asks}`).match(/=== undefined\)/g)).toHaveLength(1)
})
