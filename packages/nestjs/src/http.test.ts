import { get, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  BadRequestException,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Injectable,
  type MessageEvent,
  type MiddlewareConsumer,
  type NestModule,
  Post,
  Redirect,
  Res,
  Sse,
  StreamableFile,
  UseGuards,
} from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { startActiveObservation } from '@svc/tracing'
import { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ADAPTERS, leave, startApp } from '../test/app.ts'

const work = <T>(name: string, does: () => T): T => startActiveObservation(name, does)

/** Two pieces of work: one that ends before the user is known, one in which it becomes known. */
@Injectable()
class AuthGuard implements CanActivate {
  canActivate(host: ExecutionContext): Promise<boolean> {
    const request = host.switchToHttp().getRequest()
    return work('lookup', async () => {}).then(() =>
      work('verify', async () => {
        request.user = { id: request.headers['x-user'] }
        return request.user.id !== 'mallory'
      }),
    )
  }
}

@Injectable()
class NoEntry implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('members only')
  }
}

async function* pieces() {
  yield work('first', () => 'a')
  await Promise.resolve()
  yield work('last', () => 'b')
}

@Controller()
class Chat {
  @Get('plain') plain() {
    return work('model', async () => 'plain')
  }
  @Post('body') body() {
    return work('model', async () => 'body')
  }
  @Sse('sse') sse(): Observable<MessageEvent> {
    return new Observable((subscriber) => {
      subscriber.next({ data: work('first', () => 'a') })
      subscriber.next({ data: work('last', () => 'b') })
      subscriber.complete()
    })
  }
  @Get('generator') generator() {
    return pieces()
  }
  @Get('file') file() {
    return new StreamableFile(Readable.from(pieces()))
  }
  @Get('response') response() {
    return new Response(ReadableStream.from(bytes(pieces())))
  }
  @Get('manual') manual(@Res() response: ServerResponse & { raw?: ServerResponse; hijack?(): void }) {
    response.hijack?.()
    const raw = response.raw ?? response
    raw.on('finish', () => work('finish', () => {}))
    raw.write('a')
    raw.end('b')
  }
  @Get('endless') endless() {
    return new StreamableFile(
      new Readable({ read() {} }).on('newListener', function (this: Readable) {
        this.push('x')
      }),
    )
  }
  @Get('broken') broken() {
    return work('model', async () => {
      throw new Error('the model is on strike')
    })
  }
  @Get('unreadable') unreadable() {
    throw Object.create(null)
  }
  @Get('refused') refused() {
    throw new BadRequestException('no question')
  }
  @Get('moved') @Redirect('/plain') moved() {}
  @Get('members/:id') member() {
    return 'welcome'
  }
  @Get('forbidden') @UseGuards(NoEntry) forbidden() {}
}

async function* bytes(texts: AsyncIterable<string>) {
  for await (const text of texts) yield new TextEncoder().encode(text)
}

const module = { controllers: [Chat], providers: [{ provide: APP_GUARD, useClass: AuthGuard }] }
const options = { user: (request: { user?: { id: string } }) => request.user?.id }
const start = (adapter: (typeof ADAPTERS)[number]) => startApp({ ...module, options, adapter })
const headers = { 'x-user': 'ada' }

/** A root with what the guard does and more below it, all of it Ada's. */
const tree = (root: string, ...names: string[]) =>
  [root, ...['lookup', 'verify', ...names].sort().map((name) => `  ${name}`)].map((line) => `${line} (ada)`).join('\n')

describe.each(ADAPTERS)('a request to %s', (adapter) => {
  it.each([
    ['plain', 'plain', ['model']],
    ['sse', /data: a\n\n.*data: b\n\n$/s, ['first', 'last']],
    ['generator', 'ab', ['first', 'last']],
    ['file', 'ab', ['first', 'last']],
    ['response', 'ab', ['first', 'last']],
    ['manual', 'ab', ['finish']],
  ])('is one trace with the user on every span: %s', async (route, answer, names) => {
    await using app = await start(adapter)
    const response = await fetch(`${app.url}/${route}`, { headers })
    expect(await response.text()).toMatch(answer)
    expect(await app.tree()).toBe(tree(`Chat.${route}`, ...names))
  })

  it('is one trace if it has a body', async () => {
    await using app = await start(adapter)
    const json = { ...headers, 'content-type': 'application/json' }
    await fetch(`${app.url}/body`, { method: 'POST', headers: json, body: '{"a":1}' })
    expect(await app.tree()).toBe(tree('Chat.body', 'model'))
  })

  it('has method, route and status', async () => {
    await using app = await start(adapter)
    await fetch(`${app.url}/plain?x=1`, { headers })
    expect((await app.span('Chat.plain')).attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/plain',
      'http.response.status_code': 200,
    })
  })

  it.each([
    ['broken', 500, 'ERROR', 'the model is on strike'],
    ['unreadable', 500, 'ERROR', 'HTTP 500'],
    ['refused', 400, undefined, 'no question'],
    ['moved', 302, undefined, undefined],
    ['forbidden', 403, undefined, 'HTTP 403'],
  ])('that is %s has status %d, level %s and message %s', async (route, status, level, statusMessage) => {
    await using app = await start(adapter)
    await fetch(`${app.url}/${route}`, { headers, redirect: 'manual' })
    const root = await app.span(`Chat.${route}`)
    expect(root).toMatchObject({ level, statusMessage })
    expect(root.attributes['http.response.status_code']).toBe(status)
  })

  it('that the client aborts ends at once with level WARNING', async () => {
    await using app = await start(adapter)
    await leave(`${app.url}/endless`)
    expect(await app.span('Chat.endless')).toMatchObject({
      level: 'WARNING',
      statusMessage: 'the client went away before the response was sent',
    })
  })

  it('that a global guard refuses is named by its handler', async () => {
    await using app = await start(adapter)
    expect((await fetch(`${app.url}/members/7`, { headers: { 'x-user': 'mallory' } })).status).toBe(403)
    expect(await app.tree()).toBe('Chat.member (mallory)\n  lookup (mallory)\n  verify (mallory)')
    expect(await app.span('Chat.member')).toMatchObject({ level: undefined, statusMessage: 'HTTP 403' })
  })

  it('that a middleware responds to is named by its path, if something was recorded', async () => {
    class Closed implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        const answer = (_request: unknown, response: ServerResponse) => work('answer', () => response.end('closed'))
        consumer.apply(answer).forRoutes('{*all}')
      }
    }
    await using app = await startApp({ ...module, imports: [Closed], options, adapter })
    expect(await (await fetch(`${app.url}/plain?q=1`)).text()).toBe('closed')
    expect(await app.tree()).toBe('GET /plain\n  answer')
  })

  it('that is not found below a global prefix is named by its path', async () => {
    class Counting implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        const count = (_request: unknown, _response: unknown, next: () => void) => work('count', () => next())
        consumer.apply(count).forRoutes('{*all}')
      }
    }
    await using app = await startApp({
      ...module,
      imports: [Counting],
      adapter,
      before: (nest) => nest.setGlobalPrefix('api'),
    })
    expect((await fetch(`${app.url}/api/nowhere?q=1`)).status).toBe(404)
    const root = (await app.svc.spans()).find(({ parentId }) => parentId === undefined)
    expect([root?.name, root?.attributes['http.route']]).toEqual(['GET /api/nowhere', undefined])
  })

  it('that is upgraded to a WebSocket does not count as aborted', async () => {
    await using app = await start(adapter)
    const { port } = new URL(app.url)
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    await new Promise<void>((resolve) => {
      get({ port, path: '/plain', headers: upgrade }, (response) => response.resume().on('end', resolve))
    })
    expect(await app.tree()).not.toContain('plain')
  })

  it('without a handler is not recorded', async () => {
    await using app = await start(adapter)
    expect((await fetch(`${app.url}/nowhere`)).status).toBe(404)
    expect(await app.tree()).toBe('')
  })

  it('never has the user of another request', async () => {
    await using app = await start(adapter)
    const users = Array.from({ length: 100 }, (_, at) => `user-${at}`)
    await Promise.all(
      users.map((user) => fetch(`${app.url}/generator`, { headers: { 'x-user': user } }).then((r) => r.text())),
    )
    const traces = Map.groupBy(await app.svc.spans(), ({ traceId }) => traceId)
    const seen = [...traces.values()].map((spans) => new Set(spans.map(({ userId }) => userId)))
    expect(seen.every((each) => each.size === 1)).toBe(true)
    expect(seen.map(([user]) => user).sort()).toEqual(users.sort())
    expect([...traces.values()].every((spans) => spans.length === 5)).toBe(true)
  })
})
