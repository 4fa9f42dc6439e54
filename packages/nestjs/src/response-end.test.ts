import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:http2'
import { type AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Controller, Get, StreamableFile } from '@nestjs/common'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { startActiveObservation } from '@svc/tracing'
import { describe, expect, it } from 'vitest'
import { ADAPTERS, drawn, startApp } from '../test/app.ts'
import { SvcTesting, SvcTestingModule } from './testing/index.ts'

@Controller()
class Chat {
  @Get('plain') plain() {
    return startActiveObservation('model', async () => 'plain')
  }
  @Get('endless') async *endless() {
    yield 'x'
    await new Promise(() => {})
  }
}

const WHOLE = 'Chat.plain\n  model'

it('a request of `inject` ends as one that was answered', async () => {
  await using app = await startApp({ controllers: [Chat], adapter: 'fastify' })
  const answer = await (app.app as unknown as NestFastifyApplication).inject('/plain')
  expect([answer.statusCode, answer.body]).toEqual([200, 'plain'])
  expect(drawn(await app.svc.spans())).toBe(WHOLE)
  expect((await app.span('Chat.plain')).attributes['http.response.status_code']).toBe(200)
})

/** As adapters of functions make them (`@codegenie/serverless-express`): nothing closes what they write to. */
function functionResponse(request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request)
  const ignore = () => {}
  const write = (_piece: unknown, encoding: unknown, done = encoding) => (typeof done === 'function' ? done() : true)
  const socket = { _writableState: {}, writable: true, on: ignore, removeListener: ignore, destroy: ignore }
  response.assignSocket({ ...socket, cork: ignore, uncork: ignore, write } as unknown as Socket)
  return response
}

it('a request whose response is never closed has ended when what waits for the answer goes on', async () => {
  await using app = await startApp({ controllers: [Chat] })
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/plain' })
  const response = functionResponse(request)
  const answered = once(response, 'finish')
  app.app.getHttpAdapter().getInstance()(request, response)
  await answered
  expect(response.closed).toBe(false)
  expect(drawn(await app.svc.spans())).toBe(WHOLE)
})

it('over HTTP/2 a request that was answered has no level, and one that was cancelled has WARNING', async () => {
  const module = await Test.createTestingModule({
    imports: [SvcTestingModule.forRoot({})],
    controllers: [Chat],
  }).compile()
  const app = module.createNestApplication(new FastifyAdapter({ http2: true } as object))
  await app.listen(0, '127.0.0.1')
  const client = connect(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`)
  try {
    const answered = client.request({ ':path': '/plain' }).resume()
    await once(answered, 'close')
    const left = client.request({ ':path': '/endless' })
    await once(left, 'data')
    left.close(8)
    await once(left, 'close')
    expect(drawn(await module.get(SvcTesting).spans())).toBe(`Chat.endless WARNING\n${WHOLE}`)
  } finally {
    client.close()
    await app.close()
  }
})

async function* broken() {
  yield new TextEncoder().encode('a')
  await new Promise((resolve) => setTimeout(resolve, 20))
  throw new Error('the model hung up')
}

@Controller()
class Streams {
  @Get('generator') generator() {
    return broken()
  }
  @Get('file') file() {
    return new StreamableFile(Readable.from(broken()))
  }
  @Get('response') response() {
    return new Response(ReadableStream.from(broken()))
  }
}

describe.each(ADAPTERS)('a body in pieces, with %s,', (adapter) => {
  it.each([false, true])(
    'that fails midway is an error of the request, not of its client; output: %s',
    async (captures) => {
      await using app = await startApp({ controllers: [Streams], adapter, options: { captureOutput: captures } })
      for (const name of ['generator', 'file', 'response']) {
        await expect(fetch(`${app.url}/${name}`).then((response) => response.text())).rejects.toThrow()
        expect(await app.span(`Streams.${name}`)).toMatchObject({
          level: 'ERROR',
          statusMessage: 'the model hung up',
          output: captures ? 'a' : undefined,
        })
      }
    },
  )
})

it('a Response is sent whose body is of a runtime where streams are native, such as Bun', async () => {
  @Controller()
  class Native {
    @Get() answer() {
      const response = new Response('tea', { status: 201, headers: { 'x-kind': 'green' } })
      const { body } = response
      // Its text is that of a native function.
      if (body) body.getReader = body.getReader.bind(body) as typeof body.getReader
      return response
    }
  }
  for (const captureOutput of [false, true]) {
    await using app = await startApp({ controllers: [Native], options: { captureOutput } })
    const response = await fetch(app.url)
    expect([response.status, response.headers.get('x-kind'), await response.text()]).toEqual([201, 'green', 'tea'])
    expect(await app.span('Native.answer')).toMatchObject({ output: captureOutput ? 'tea' : undefined })
  }
})
