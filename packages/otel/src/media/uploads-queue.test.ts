import type { HttpSender } from '@svc/core/http-exchange'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { responseOf } from '../../test/support/responses.ts'
import type { Upload } from './lift.ts'
import { Uploads } from './uploads.ts'

const log = catchLog()
const target = { url: 'http://service.test/api/public/media', headers: { authorization: 'Basic x' } }
const LIMITS = { idleMs: 10_000, totalMs: 30_000 }
const upload = (size = 3): Upload => ({
  media: { id: 'm1', contentType: 'image/png', bytes: new Uint8Array(size), sha256: 'hash' },
  traceId: 't',
  observationId: 'o',
  field: 'input',
})

describe('the media upload queue', () => {
  it('has at most four uploads in flight', async () => {
    const waiting: (() => void)[] = []
    const sender: HttpSender = {
      send: () => new Promise((resolve) => waiting.push(() => resolve(responseOf(201, '{"mediaId":"m1"}')))),
      close() {},
    }
    const uploads = new Uploads(target, sender, 1_000)
    for (let at = 0; at < 10; at++) expect(uploads.schedule(upload())).toBe(true)
    expect(waiting).toHaveLength(4)
    const flushed = uploads.flush(LIMITS)
    while (waiting.length > 0) {
      waiting.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await flushed
  })

  it('accepts at most 64 MiB, with one warning, and more when those are done', async () => {
    let answer: () => void = () => {}
    const open = new Promise<void>((resolve) => {
      answer = resolve
    })
    const sender: HttpSender = { send: () => open.then(() => responseOf(201, '{"mediaId":"m1"}')), close() {} }
    const uploads = new Uploads(target, sender, 1_000)
    expect(uploads.schedule(upload(60 * 1_048_576))).toBe(true)
    expect(uploads.schedule(upload(5 * 1_048_576))).toBe(false)
    expect(uploads.schedule(upload(5 * 1_048_576))).toBe(false)
    expect(log.lines('More than 64 MiB or 1000 pieces of media wait')).toHaveLength(1)
    answer()
    await uploads.flush(LIMITS)
    expect(uploads.schedule(upload(5 * 1_048_576))).toBe(true)
    await uploads.flush(LIMITS)
  })

  it('accepts at most a thousand uploads, and reports failures once a minute and at the end', async () => {
    const sender: HttpSender = { send: async () => responseOf(400), close() {} }
    const uploads = new Uploads(target, sender, 1_000)
    for (let at = 0; at < 1_000; at++) expect(uploads.schedule(upload())).toBe(true)
    expect(uploads.schedule(upload())).toBe(false)
    await uploads.flush(LIMITS)
    expect(log.lines('was not uploaded')).toEqual([expect.stringContaining('1 upload failed.')])
    uploads.close()
    expect(log.lines('was not uploaded')[1]).toContain('999 uploads failed.')
  })

  it('counts pending uploads, and reports abandoned ones in one line at the end', async () => {
    const sender: HttpSender = { send: () => new Promise(() => {}), close() {} }
    const uploads = new Uploads(target, sender, 1_000)
    for (let at = 0; at < 10; at++) uploads.schedule(upload())
    expect(uploads.pending).toBe(10)
    uploads.close()
    expect(uploads.pending).toBe(0)
    await uploads.flush(LIMITS)
    expect(log.lines()).toEqual([expect.stringContaining('Media was not uploaded before the end. 10 uploads failed.')])
    uploads.close()
    expect(log.lines()).toHaveLength(1)
  })

  it('is flushed for as long as responses keep coming, and no longer', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const waiting: (() => void)[] = []
    const sender: HttpSender = {
      send: () => new Promise((resolve) => waiting.push(() => resolve(responseOf(201, '{"mediaId":"m1"}')))),
      close() {},
    }
    const uploads = new Uploads(target, sender, 60_000)
    for (let at = 0; at < 8; at++) uploads.schedule(upload())
    let isFlushed = false
    void uploads.flush({ idleMs: 2_000, totalMs: 30_000 }).then(() => {
      isFlushed = true
    })
    for (let at = 0; at < 3; at++) {
      await vi.advanceTimersByTimeAsync(1_999)
      waiting.shift()?.()
      await vi.advanceTimersByTimeAsync(1_999)
      expect(isFlushed).toBe(false)
      waiting.shift()?.()
    }
    await vi.advanceTimersByTimeAsync(2_001)
    expect([isFlushed, uploads.pending > 0]).toEqual([true, true])
    uploads.close()
  })

  it('ends flushes under way when it is closed, and then reports no failures any more', async () => {
    const failures: (() => void)[] = []
    const sender: HttpSender = {
      send: () => new Promise((_, reject) => failures.push(() => reject(new Error('too late')))),
      close() {},
    }
    const uploads = new Uploads(target, sender, 1)
    uploads.schedule(upload())
    const flushed = uploads.flush(LIMITS)
    uploads.close()
    await flushed
    failures[0]?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect(log.lines()).toEqual([expect.stringContaining('1 upload failed.')])
  })

  it('has its full capacity again after it was closed and the process goes on', async () => {
    const sender: HttpSender = { send: () => new Promise(() => {}), close() {} }
    const uploads = new Uploads(target, sender, 1_000)
    for (let at = 0; at < 4; at++) uploads.schedule(upload())
    expect(uploads.schedule(upload(60 * 1_048_576))).toBe(true)
    uploads.close()
    expect(uploads.schedule(upload(60 * 1_048_576))).toBe(true)
  })

  it('logs nothing at the end if everything was uploaded', async () => {
    const sender: HttpSender = { send: async () => responseOf(201, '{"mediaId":"m1"}'), close() {} }
    const uploads = new Uploads(target, sender, 1_000)
    uploads.schedule(upload())
    await uploads.flush(LIMITS)
    uploads.close()
    expect(log.lines()).toEqual([])
  })

  it('closes its connections when it stops', async () => {
    let closed = 0
    const sender: HttpSender = { send: async () => responseOf(201, '{"mediaId":"m1"}'), close: () => void closed++ }
    await new Uploads(target, sender, 1_000).stop()
    expect(closed).toBe(1)
  })
})
