import { EventEmitter, once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Controller, Get, type MessageEvent, Req, Sse, StreamableFile } from '@nestjs/common'
import { from, map, type Observable } from 'rxjs'
import { sharedWork } from './work.js'

/** A body in two parts. Each is work that everybody is in the middle of at once. */
async function* parts(place: string): AsyncGenerator<string> {
  yield await sharedWork('first', place, 'first ')
  yield await sharedWork('last', place, 'last')
}

const events = (place: string): Observable<MessageEvent> => from(parts(place)).pipe(map((data) => ({ data })))

const departures = new EventEmitter()

async function* untilOneLeaves(): AsyncGenerator<string> {
  const one = once(departures, 'one')
  yield await sharedWork('first', 'abort', 'first ')
  await one
  yield 'last'
}

@Controller('streams')
export class StreamsController {
  @Sse('sse')
  sse(): Observable<MessageEvent> {
    return events('sse')
  }

  @Sse('async-sse')
  async asyncSse(): Promise<Observable<MessageEvent>> {
    await sharedWork('handler', 'async-sse', true)
    return events('async-sse')
  }

  /** Two users listen. The one who leaves lets the other one have the last event. */
  @Sse('abort')
  abort(@Req() request: { readonly raw?: IncomingMessage } & IncomingMessage): Observable<MessageEvent> {
    const { socket } = request.raw ?? request
    socket.once('close', () => departures.emit('one'))
    return from(untilOneLeaves()).pipe(map((data) => ({ data })))
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(parts('file')))
  }

  @Get('generator')
  async *generator(): AsyncGenerator<string> {
    yield* parts('generator')
  }

  @Get('web-stream')
  webStream(): ReadableStream {
    return bytes('web-stream')
  }

  @Get('response')
  response(): Response {
    return new Response(bytes('response'), { headers: { 'content-type': 'text/plain' } })
  }
}

function bytes(place: string): ReadableStream<Uint8Array> {
  const body = parts(place)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await body.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}
