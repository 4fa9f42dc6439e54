import type { HttpSender } from '@svc/core/http-exchange'
import { describe, expect, it } from 'vitest'
import { catchLog } from '../../test/support/console.ts'
import { responseOf } from '../../test/support/responses.ts'
import type { Upload } from './lift.ts'
import { Uploads } from './uploads.ts'

const log = catchLog()
const target = { url: 'http://service.test/api/public/media', headers: { authorization: 'Basic x' } }
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
    const flushed = uploads.flush()
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
    await uploads.flush()
    expect(uploads.schedule(upload(5 * 1_048_576))).toBe(true)
    await uploads.flush()
  })

  it('accepts at most a thousand uploads, and reports failures once a minute and at the end', async () => {
    const sender: HttpSender = { send: async () => responseOf(400), close() {} }
    const uploads = new Uploads(target, sender, 1_000)
    for (let at = 0; at < 1_000; at++) expect(uploads.schedule(upload())).toBe(true)
    expect(uploads.schedule(upload())).toBe(false)
    await uploads.flush()
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
    await uploads.flush()
    expect(log.lines()).toEqual([expect.stringContaining('Media was not uploaded before the end. 10 uploads failed.')])
    uploads.close()
    expect(log.lines()).toHaveLength(1)
  })

  it('logs nothing at the end if everything was uploaded', async () => {
    const sender: HttpSender = { send: async () => responseOf(201, '{"mediaId":"m1"}'), close() {} }
    const uploads = new Uploads(target, sender, 1_000)
    uploads.schedule(upload())
    await uploads.flush()
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
