import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { edited } from './apply-edits.ts'
import { streamEdits, telemetryEdits } from './source-edits.ts'

const withTelemetryEdits = (source: string) => edited(source, telemetryEdits(source))
const withStreamEdits = (source: string) => edited(source, streamEdits(source))

const resolve = createRequire(import.meta.url).resolve

it('source of another form is not edited', () => {
  const seven = readFileSync(resolve('ai'), 'utf8')
  expect(withTelemetryEdits(seven)).toBe(seven)
  const half = 'function getTracer({ isEnabled = false, tracer } = {}) {}'
  expect(withTelemetryEdits(half)).toBe(half)
})

it('edits of the AI SDK source keep line numbers', () => {
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
  const changed = withTelemetryEdits(source.join('\n')).split('\n')
  expect(changed).toHaveLength(source.length)
  expect(changed.filter((line, index) => line !== source[index])).toEqual([
    expect.stringContaining('isEnabled = (globalThis'),
    expect.stringContaining('({ telemetry, attributes } = globalThis'),
  ])
})

it('edited source without hooks calls models and returns streams like the original', () => {
  const source = ['const answer = await stepModel.doStream({', '});', 'this.teeStream().pipeThrough(', ');']
  const withEdits = withStreamEdits(source.join('\n'))
  expect(withEdits.split('\n')).toHaveLength(source.length)
  const run = new Function('stepModel', `return async function () { ${withEdits} return answer }`)
  const stream = { pipeThrough: () => {} }
  const answer = run({ doStream: () => 'asked' }).call({ teeStream: () => stream })
  return expect(answer).resolves.toBe('asked')
})

it.each(['(model.doStream(transformedParams))', 'this.model.doGenerate({})', 'model.doStreams({})'])(
  '%s is not edited',
  (source) => {
    expect(withStreamEdits(source)).toBe(source)
  },
)

it('a model stream is tapped by a stream in between, unless the source shows its first reader', () => {
  const asks = 'const answer = await stepModel.doStream({'
  const reads = `
      const forwardStream = new TransformStream({
        async transform(chunk, controller) {
          controller.enqueue(chunk);
        }
      });`
  expect(withStreamEdits(asks)).toContain(', false)')
  expect(withStreamEdits(asks + reads)).toContain(', true)')
})

it('a model may be called for a single answer, without a call id', () => {
  const asks = 'const result = await resolvedModel.doStream({'
  const direct = `async function streamLanguageModelCall({ callId }) {\n\t${asks}`
  expect(withStreamEdits(direct)).toContain(', callId === undefined)')
  expect(withStreamEdits(`${direct}\n}\nasync function other() {\n${asks}`).match(/=== undefined\)/g)).toHaveLength(1)
})
