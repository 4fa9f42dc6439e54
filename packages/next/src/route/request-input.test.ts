import { describe, expect, it } from 'vitest'
import { watchInput } from './request-input.ts'

const METHODS = ['json', 'text', 'formData']

/** A request that is watched, and the inputs that were recorded of it. */
function watched(body: string | FormData | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  const request = new Request('https://shop.example/', { method: 'POST', body, headers })
  const inputs: (string | undefined)[] = []
  watchInput(request, (input) => inputs.push(input))
  return { request, inputs, replaced: METHODS.filter((name) => Object.hasOwn(request, name)) }
}

const lengthOf = (body: string) => ({ 'content-length': String(body.length) })
const json = (body: string) => ({ 'content-type': 'application/json; charset=utf-8', ...lengthOf(body) })
const form = (body: string) => ({ 'content-type': 'application/x-www-form-urlencoded', ...lengthOf(body) })
const loudForm = (body: string) => ({ 'content-type': 'Application/X-WWW-Form-Urlencoded', ...lengthOf(body) })

describe('the recorded input of a request', () => {
  it.each([
    ['JSON', '{"question":"tea"}', json, '{"question":"tea"}'],
    ['a text', 'tea', (body: string) => ({ 'content-type': 'text/plain', ...lengthOf(body) }), 'tea'],
    ['XML', '<tea/>', (body: string) => ({ 'content-type': 'application/soap+xml', ...lengthOf(body) }), '<tea/>'],
    ['a form', 'question=tea&answer=', form, '{"question":"tea","answer":""}'],
    ['a form whatever the case of its type', 'question=tea', loudForm, '{"question":"tea"}'],
  ])('is %s, however the handler reads it, without patched methods', async (_, body, headers, expected) => {
    for (const read of [
      (request: Request) => request.text(),
      (request: Request) => request.arrayBuffer(),
      (request: Request) => new Request(request).text(),
    ]) {
      const { request, inputs, replaced } = watched(body, headers(body))
      expect(replaced).toEqual([])
      await read(request)
      await expect.poll(() => inputs).toEqual([expected])
    }
  })

  it('is recorded if the handler fails while reading it', async () => {
    const body = '{"question":"tea"}'
    const { request, inputs } = watched(body, json(body))
    const handler = async () => {
      await request.json()
      throw new Error('no tea')
    }
    await expect(handler()).rejects.toThrow('no tea')
    expect(inputs).toEqual([body])
  })

  it.each([
    ['is long', 'x'.repeat(1_000_001), { 'content-type': 'text/plain', 'content-length': '1000001' }],
    ['has no length', '{}', { 'content-type': 'application/json' }],
    ['is compressed', '{}', { ...json('{}'), 'content-encoding': 'gzip' }],
  ])('is not buffered twice if it %s: the part that the handler reads is recorded', async (_, body, headers) => {
    const { request, inputs, replaced } = watched(body, headers)
    expect(replaced).toEqual(METHODS)
    await request.text()
    expect(inputs).toHaveLength(1)
  })

  it('is the fields of a form and the names of its files', async () => {
    const data = new FormData()
    data.set('question', 'tea')
    data.set('picture', new File(['...'], 'tea.png'))
    const { request, inputs } = watched(data)
    await request.formData()
    expect(inputs).toEqual(['{"question":"tea","picture":"[file tea.png]"}'])
  })

  it('has all values of a field that a form has more than once', async () => {
    const data = new FormData()
    for (const tag of ['green', 'black']) data.append('tag', tag)
    for (const name of ['a.png', 'b.png']) data.append('pictures', new File(['...'], name))
    const { request, inputs } = watched(data)
    await request.formData()
    expect(inputs).toEqual(['{"tag":["green","black"],"pictures":["[file a.png]","[file b.png]"]}'])
  })
})
