import { afterEach, describe, expect, it, vi } from 'vitest'
import { download } from './download.ts'

/** Answers by URL: a location to go to, or bytes. */
function storage(answers: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    const answer = answers[String(url)]
    if (typeof answer === 'string') return new Response(null, { status: 307, headers: { location: answer } })
    return answer ? new Response(answer) : new Response('gone', { status: 403 })
  })
}

afterEach(() => vi.restoreAllMocks())

describe('a download', () => {
  it('follows a storage that redirects, also to a relative address', async () => {
    const bytes = new Uint8Array([1, 2])
    const asked = storage({ 'http://a/1': 'https://b/2', 'https://b/2': '/3', 'https://b/3': bytes })
    expect(await download('http://a/1')).toEqual(bytes)
    expect(asked.mock.calls.map(([, init]) => init?.headers)).toEqual([undefined, undefined, undefined])
  })

  it.each([
    ['https://a/1', 'http://a/2', 'the storage redirects from https: to http:, which is not followed'],
    ['http://a/1', 'data:,x', 'the storage redirects from http: to data:, which is not followed'],
    ['https://a/1', 'file:///etc/passwd', 'the storage redirects from https: to file:, which is not followed'],
    ['http://a/1', 'http://a/1', 'the storage redirects more than 5 times'],
    ['http://a/1', 'http://a/2', 'the storage answered 403'],
  ])('from %s to %s fails', async (from, to, reason) => {
    storage({ [from]: to })
    await expect(download(from)).rejects.toThrow(reason)
  })
})
