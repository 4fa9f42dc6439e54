import { expect, it } from 'vitest'
import { readBody } from './body.ts'

it('only the text fields of a form body are read', () => {
  const body = new FormData()
  body.append('model', 'whisper')
  body.append('file', new Blob(['a sound']), 'sound.mp3')
  expect(readBody({ body, __metadata: { model: 'whisper' } })).toEqual({ model: 'whisper' })
})

it('the model of an encoded form body is read from the request options', () => {
  const body = { [Symbol.toStringTag]: 'MultipartBody', body: {} }
  expect(readBody({ body, __metadata: { model: 'whisper' } })).toEqual({ model: 'whisper' })
  expect(readBody({ body })).toBe(body)
})

it('any other request body is read unchanged, whatever its class', () => {
  class Request {
    model = 'gpt'
    messages = []
  }
  const body = new Request()
  expect(readBody({ body, __metadata: { helperMethod: 'parse' } })).toBe(body)
  expect(readBody({ body, __metadata: { model: 'gpt' } })).toBe(body)
  expect(readBody({})).toBe(undefined)
})
