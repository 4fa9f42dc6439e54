import { describe, expect, it } from 'vitest'
import { blobsIn, mayHoldBlob } from './messages.ts'

const found = (key: string, value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return blobsIn(key, text).map(({ start, end, contentType }) => `${contentType} ${text.slice(start, end)}`)
}
const user = (...content: unknown[]) => [{ role: 'user', content }]
const parts = (...given: unknown[]) => [{ role: 'user', parts: given }]

describe('media in message parts are found:', () => {
  it.each<[what: string, key: string, messages: unknown, media: string[]]>([
    [
      'a file',
      'ai.prompt.messages',
      user({ type: 'file', mediaType: 'application/pdf', data: 'AAAA' }),
      ['application/pdf AAAA'],
    ],
    [
      'an image',
      'ai.prompt.messages',
      user({ type: 'file', mediaType: 'image/png', image: 'AAAA' }),
      ['image/png AAAA'],
    ],
    [
      'a part of type image',
      'ai.prompt',
      user({ type: 'image', mimeType: 'image/png', image: 'AAAA' }),
      ['image/png AAAA'],
    ],
    [
      'messages in an object',
      'ai.prompt',
      { system: 's', messages: user({ type: 'file', mediaType: 'a/b', data: 'AAAA' }) },
      ['a/b AAAA'],
    ],
    ['a URL', 'ai.prompt.messages', user({ type: 'file', mediaType: 'image/png', data: 'https://x/y.png' }), []],
    ['bytes written as an object', 'ai.prompt.messages', user({ type: 'file', mediaType: 'a/b', data: { 0: 1 } }), []],
    ['text', 'ai.prompt.messages', user({ type: 'text', text: 'AAAA', mediaType: 'a/b' }), []],
    ['a part without media type', 'ai.prompt.messages', user({ type: 'file', data: 'AAAA' }), []],
    [
      'a blob',
      'gen_ai.input.messages',
      parts({ type: 'blob', mime_type: 'image/png', content: 'AA-_' }),
      ['image/png AA-_'],
    ],
    [
      'an answer',
      'gen_ai.output.messages',
      parts({ type: 'blob', mime_type: 'audio/wav', content: 'AAAA' }),
      ['audio/wav AAAA'],
    ],
    ['a text part', 'gen_ai.input.messages', parts({ type: 'text', content: 'AAAA' }), []],
    [
      'the same blob twice',
      'gen_ai.input.messages',
      parts(...Array(2).fill({ type: 'blob', mime_type: 'a/b', content: 'AAAA' })),
      ['a/b AAAA', 'a/b AAAA'],
    ],
    ['no messages', 'gen_ai.input.messages', { a: 1 }, []],
    ['broken parts', 'gen_ai.input.messages', [null, 1, { parts: [null, 'x', { type: 'blob' }] }], []],
    ['another attribute', 'gen_ai.system_instructions', parts({ type: 'blob', mime_type: 'a/b', content: 'AAAA' }), []],
  ])('%s', (_, key, messages, media) => {
    expect(found(key, messages)).toEqual(media)
  })

  it('except for short base64 that occurs elsewhere as a word', () => {
    const text = JSON.stringify(
      parts({ type: 'text', content: 'AAAA and more' }, { type: 'blob', mime_type: 'a/b', content: 'AAAA' }),
    )
    expect(blobsIn('gen_ai.input.messages', text)).toMatchObject([{ start: text.lastIndexOf('"AAAA"') + 1 }])
  })

  it('after quotes and backslashes in texts', () => {
    const text = parts(
      { type: 'text', content: 'a "quoted" \\\\ \\"' },
      { type: 'blob', mime_type: 'a/b', content: 'AAAA' },
    )
    expect(found('gen_ai.input.messages', text)).toEqual(['a/b AAAA'])
  })

  it('in one pass, however many blobs there are', () => {
    const blobs = Array.from({ length: 50_000 }, (_, at) => ({
      type: 'blob',
      mime_type: 'a/b',
      content: btoa(String(at).padStart(30, '0')),
    }))
    expect(found('gen_ai.input.messages', parts(...blobs))).toHaveLength(50_000)
  })

  it('without parsing text that has no such part', () => {
    expect(mayHoldBlob('gen_ai.input.messages', '[{"parts":[{"type":"text"}]}]')).toBe(false)
    expect(mayHoldBlob('svc.observation.input', '"blob"')).toBe(false)
    expect(mayHoldBlob('constructor', 'a name that objects have')).toBe(false)
    expect(() => blobsIn('gen_ai.input.messages', '"blob" but no JSON')).toThrow(SyntaxError)
  })
})
