import { expect, it } from 'vitest'
import { dataUri, modalityOf, reasoningPart, toolCallPart } from './parts.ts'

it('missing fields of a tool call are omitted', () => {
  expect(Object.keys(toolCallPart(undefined, 'weather', undefined))).toEqual(['type', 'name'])
})

it('media parts are recognized by their media type, which may be absent', () => {
  expect(['image/png', 'audio/wav', 'video/mp4', 'text/plain', undefined].map(modalityOf)).toEqual([
    'image',
    'audio',
    'video',
    undefined,
    undefined,
  ])
  expect([dataUri('image/png', 'AAAA'), dataUri(undefined, undefined)]).toEqual([
    'data:image/png;base64,AAAA',
    'data:application/octet-stream;base64,',
  ])
})

it('encrypted or empty reasoning is not a message part', () => {
  expect(['why', '', undefined, {}].map((each) => reasoningPart(each).length)).toEqual([1, 0, 0, 0])
})
