import { describe, expect, it } from 'vitest'
import { fakeClock } from '../test/support/clock.ts'
import { type HttpRequest, type HttpSender, NoResponseError } from './http-exchange.ts'
import { type Media, type UploadReport, uploadMedia } from './upload-media.ts'

const media: Media = { id: 'm1', contentType: 'image/png', bytes: new Uint8Array(3), sha256: 'hash' }
const place = { field: 'input', traceId: 't', observationId: 'o' }

/** The service gives `uploadUrl`, the storage answers with the result of `store`; requests to both are recorded. */
function setUp(uploadUrl: string, store: (request: HttpRequest) => number, { mediaId = 'm1', random = 1 } = {}) {
  const clock = fakeClock(random)
  const stored: HttpRequest[] = []
  const reports: UploadReport[] = []
  const storage: HttpSender = {
    async send(request) {
      stored.push(request)
      return { status: store(request), headers: {}, body: new TextEncoder().encode('no'), complete: true }
    },
    close() {},
  }
  const api = {
    getUploadUrl: async () => ({ mediaId, uploadUrl }),
    patch: async (_: string, report: UploadReport) => void reports.push(report),
  }
  const run = () => uploadMedia({ api, storage, clock, storageLimitMs: 30_000 }, media, place)
  return { run, stored, reports, clock }
}

describe('a media upload to the storage', () => {
  it.each<[url: string, headers: string[]]>([
    ['https://bucket.s3.amazonaws.com/x', ['content-type', 'x-amz-checksum-sha256', 'x-ms-blob-type']],
    ['https://account.blob.core.windows.net/x', ['content-type', 'x-amz-checksum-sha256', 'x-ms-blob-type']],
    ['https://storage.googleapis.com/bucket/x', ['content-type']],
    ['https://bucket.storage.googleapis.com/x', ['content-type']],
    ['https://storage.googleapis.com.evil.test/x', ['content-type', 'x-amz-checksum-sha256', 'x-ms-blob-type']],
  ])('of %s has the headers %j', async (url, headers) => {
    const { run, stored } = setUp(url, () => 200)
    await run()
    expect(Object.keys(stored[0]?.headers ?? {})).toEqual(headers)
  })

  it.each([408, 429, 500, 503])(
    'that responds with %d is retried three times, with doubling pauses',
    async (status) => {
      const { run, reports, clock } = setUp('https://s/x', () => status)
      await expect(run()).rejects.toThrow(`the storage answered ${status}: no`)
      expect(clock.slept).toEqual([1_000, 2_000, 4_000])
      expect(reports).toMatchObject([{ uploadHttpStatus: status, uploadHttpError: 'no' }])
    },
  )

  it.each([301, 400, 401, 403, 404, 413])('that responds with %d is not retried', async (status) => {
    const { run, stored, reports } = setUp('https://s/x', () => status)
    await expect(run()).rejects.toThrow(/^(the storage answered|it is too large for the storage)/)
    expect(stored).toHaveLength(1)
    expect(reports).toMatchObject([{ uploadHttpStatus: status }])
  })

  it('that never responds is given up after 30 seconds, retries included', async () => {
    const { run, stored, clock } = setUp('https://s/x', ({ timeoutMs }) => {
      clock.pass(timeoutMs)
      throw new NoResponseError(timeoutMs)
    })
    await expect(run()).rejects.toThrow('the storage cannot be reached: no answer within 30 s')
    expect(stored).toHaveLength(1)
    expect(clock.now()).toBe(30_000)
  })

  it('at an invalid address is an error like any other', async () => {
    await expect(setUp('not a url', () => 200).run()).rejects.toThrow('Invalid URL')
  })
})

describe('the service during a media upload', () => {
  it('that has the bytes already receives no report', async () => {
    const { run, stored, reports } = setUp('', () => 200)
    await run()
    expect([stored, reports]).toEqual([[], []])
  })

  it('that computes another id receives no bytes', async () => {
    const { run, stored } = setUp('https://s/x', () => 200, { mediaId: 'other' })
    await expect(run()).rejects.toThrow('the service returned another id, other')
    expect(stored).toEqual([])
  })
})
