import { Body, Controller, Get, Inject, Post, StreamableFile, UploadedFile, UseInterceptors } from '@nestjs/common'
import { FileInterceptor } from '@nestjs/platform-express'
import { setContentMaxBytes } from '@svc/core/content-limit'
import { afterEach, describe, expect, it } from 'vitest'
import { ADAPTERS, startApp } from '../test/app.ts'
import { Observe, SkipSvc, SvcService, SvcTrace } from './index.ts'
import { inputOf } from './transport/request-input.ts'

const LARGE = 1_000_000
/** How often bytes were written out as JSON, number by number. */
let written = 0
class Bytes extends Uint8Array {
  toJSON() {
    written += 1
    return 'bytes'
  }
}
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe)

@Controller()
class Files {
  constructor(@Inject(SvcService) private readonly svc: SvcService) {}

  @Get('bytes') bytes() {
    return new Bytes(LARGE)
  }
  @Get('picture') picture() {
    return new StreamableFile(PNG)
  }
  @Get('list') list() {
    return Array.from({ length: 100_000 }, (_, index) => ({ index, text: 'a row of the database' }))
  }
  @Post('quiet') @SvcTrace({ captureInput: false, captureOutput: false }) quiet(@Body() body: unknown) {
    return body
  }
  @Post('updated') updated() {
    this.svc.updateTrace({ input: 'the question', output: 'the answer' })
    return { answer: 42 }
  }
  @Post('upload') @UseInterceptors(FileInterceptor('avatar')) upload(@UploadedFile() file: { size: number }) {
    return this.svc.startActiveObservation('model', () => file.size)
  }
  @Get('observed') @Observe({ name: 'observed', captureOutput: true }) observed() {
    return { file: new Bytes(LARGE) }
  }
}

@Controller('skipped')
@SkipSvc()
@SvcTrace({ captureOutput: false })
class Skipped {
  @Get('all') all() {
    return 'skipped'
  }
  @Get('but') @SkipSvc(false) @SvcTrace({ captureOutput: true }) but() {
    return 'seen'
  }
}

const post = (url: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"q":1}' })

afterEach(() => setContentMaxBytes())

describe.each(ADAPTERS)('captured input and output, %s', (adapter) => {
  const start = () =>
    startApp({
      adapter,
      controllers: [Files, Skipped],
      options: { captureInput: true, captureOutput: true },
    })

  it('describe bytes by type and length, without their content', async () => {
    written = 0
    await using app = await start()
    await (await fetch(`${app.url}/bytes`)).arrayBuffer()
    expect((await app.span('Files.bytes')).output).toBe(`[Bytes: ${LARGE} bytes]`)
    await (await fetch(`${app.url}/observed`)).arrayBuffer()
    expect((await app.span('observed')).output).toBe(`{"file":"[Bytes: ${LARGE} bytes]"}`)
    // By Nest itself, for the responses.
    expect(written).toBe(adapter === 'express' ? 2 : 1)
    await (await fetch(`${app.url}/picture`)).arrayBuffer()
    expect((await app.span('Files.picture')).output).toBe(`[${PNG.length} bytes]`)
  })

  it('are no larger than the content limit', async () => {
    setContentMaxBytes(10_000)
    await using app = await start()
    await (await fetch(`${app.url}/list`)).text()
    const { output = '' } = await app.span('Files.list')
    expect(output.length).toBeLessThan(20_000)
    expect(output).toMatch(/^\["\[truncated by svc: \d+ earlier items\]",.*"index":99999,/)
  })

  it('follow the decorator of a route over the module options', async () => {
    await using app = await start()
    await post(`${app.url}/quiet`)
    expect(await app.span('Files.quiet')).toMatchObject({ input: undefined, output: undefined })
    await fetch(`${app.url}/skipped/all`)
    await fetch(`${app.url}/skipped/but`)
    expect((await app.span('Skipped.but')).output).toBe('seen')
    expect(await app.tree()).not.toContain('Skipped.all')
  })

  it('yield to input and output set with updateTrace', async () => {
    await using app = await start()
    await post(`${app.url}/updated`)
    expect(await app.span('Files.updated')).toMatchObject({ input: 'the question', output: 'the answer' })
  })
})

describe('a captured form with files', () => {
  it('is recorded as its fields and the names of its files', async () => {
    await using app = await startApp({ controllers: [Files], options: { captureInput: true } })
    const form = new FormData()
    form.set('question', 'Who is this?')
    form.set('avatar', new File([PNG], 'me.png', { type: 'image/png' }))
    expect(await (await fetch(`${app.url}/upload`, { method: 'POST', body: form })).text()).toBe('6')
    expect(JSON.parse((await app.span('Files.upload')).input ?? '')).toEqual({
      question: 'Who is this?',
      files: [{ field: 'avatar', name: 'me.png', type: 'image/png', bytes: 6 }],
    })
  })

  it('is read in the form of Multer and of @fastify/multipart', () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const part = { fieldname: 'avatar', mimetype: 'image/png' }
    const files = { avatar: [{ ...part, originalname: 'a.png', size: 3, buffer: PNG }] }
    expect(inputOf({ headers, body: { q: 'a' }, files })).toEqual({
      q: 'a',
      files: [{ field: 'avatar', name: 'a.png', type: 'image/png', bytes: 3 }],
    })
    const fields: Record<string, object> = {}
    const body = Object.assign(fields, {
      q: { type: 'field', fieldname: 'q', value: 'a', fields },
      avatar: { ...part, type: 'file', filename: 'a.png', fields },
    })
    expect(inputOf({ headers, body })).toEqual({
      q: 'a',
      avatar: { field: 'avatar', name: 'a.png', type: 'image/png', bytes: undefined },
    })
  })
})
