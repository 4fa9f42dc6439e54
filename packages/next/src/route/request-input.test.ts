import { describe, expect, it } from 'vitest'
import { watchInput } from './request-input.ts'

const METHODS = ['json', 'text', 'formData']

/** A request that is watched, and what was told of it by the time it is awaited. */
function watched(body: string | FormData | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const request = new Request('https://shop.example/', { method: 'POST', body, headers })
  const told: (string | undefined)[] = []
  watchInput(request, (input) => told.push(input))
  return { request, told, replaced: METHODS.filter((name) => Object.hasOwn(request, name)) }
}

const lengthOf = (body: string) => ({ 'content-length': String(body.length) })
const json = (body: string) => ({ 'content-type': 'application/json; charset=utf-8', ...lengthOf(body) })
const form = (body: string) => ({ 'content-type': 'application/x-www-form-urlencoded', ...lengthOf(body) })

describe('the input of a request', () => {
  it.each([
    ['JSON', '{"question":"tea"}', json, '{"question":"tea"}'],
    ['a text', 'tea', (body: string) => ({ 'content-type': 'text/plain', ...lengthOf(body) }), 'tea'],
    ['a form', 'question=tea&answer=', form, '{"question":"tea","answer":""}'],
  ])('is %s, however the handler reads it, and its methods are its own', async (_, body, headers, expected) => {
    for (const read of [
      (request: Request) => request.text(),
      (request: Request) => request.arrayBuffer(),
      (request: Request) => new Request(request).text(),
    ]) {
      const { request, told, replaced } = watched(body, headers(body))
      expect(replaced).toEqual([])
      await read(request)
      await expect.poll(() => told).toEqual([expected])
    }
  })

  it('is known when a handler fails over it', async () => {
    const body = '{"question":"tea"}'
    const { request, told } = watched(body, json(body))
    const handler = async () => {
      await request.json()
      throw new Error('no tea')
    }
    await expect(handler()).rejects.toThrow('no tea')
    expect(told).toEqual([body])
  })

  it.each([
    ['is long', 'x'.repeat(1_000_001), { 'content-type': 'text/plain', 'content-length': '1000001' }],
    ['has no length', '{}', { 'content-type': 'application/json' }],
    ['is compressed', '{}', { ...json('{}'), 'content-encoding': 'gzip' }],
  ])('is not held twice where it %s: what is read of it is told', async (_, body, headers) => {
    const { request, told, replaced } = watched(body, headers)
    expect(replaced).toEqual(METHODS)
    await request.text()
    expect(told).toHaveLength(1)
  })

  it('is the fields of a form with files, and their names', async () => {
    const data = new FormData()
    data.set('question', 'tea')
    data.set('picture', new File(['...'], 'tea.png'))
    const { request, told } = watched(data)
    await request.formData()
    expect(told).toEqual(['{"question":"tea","picture":"[file tea.png]"}'])
  })
})
