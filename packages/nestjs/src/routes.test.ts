import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  Param,
  Post,
  Query,
  RequestMethod,
  StreamableFile,
  UseGuards,
  VersioningType,
} from '@nestjs/common'
import { startActiveObservation } from '@svc/tracing'
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ADAPTERS, type AppOptions, startApp } from '../test/app.ts'
import { catchLog } from '../test/log.ts'
import { PublicTrace, SkipSvc, SvcService, SvcTrace, TraceId } from './index.ts'

const logged = catchLog()
const work = (name: string) => startActiveObservation(name, async () => name)

@Injectable()
class Identifies implements CanActivate {
  constructor(@Inject(SvcService) private readonly svc: SvcService) {}
  async canActivate(host: ExecutionContext): Promise<boolean> {
    await work('before')
    this.svc.identify({ userId: host.switchToHttp().getRequest().headers['x-user'], sessionId: 7, tags: ['guarded'] })
    return true
  }
}

@Controller('chat')
@SvcTrace({ name: 'chat', tags: ['chat'], metadata: { team: 'blue' } })
class Chat {
  constructor(@Inject(SvcService) private readonly svc: SvcService) {}

  @Get('plain') plain() {
    return work('model')
  }
  @Get('marked') @SvcTrace({ tags: ['fast'], metadata: { plan: 'pro' } }) @PublicTrace() marked() {
    return work('model')
  }
  @Get('skipped') @SkipSvc() skipped() {
    return work('model')
  }
  @Get('guarded') @UseGuards(Identifies) guarded() {
    return work('model')
  }
  @Get('id') id(@TraceId() id: string) {
    return id
  }
  @Get('updated') updated() {
    this.svc.updateTrace({ name: 'updated', userId: 'eve', input: 'in', output: { out: 1 }, public: true })
    return work('model')
  }
  @Post('echo/:id') echo() {
    return { answer: 42 }
  }
  @Get('many') many() {
    return from(['a', 'b'])
  }
  @Get('generator') async *generator() {
    yield 'a'
    yield 'b'
  }
  @Get('file') file() {
    return new StreamableFile(Readable.from(['a', 'b']))
  }
  @Get('response') response() {
    return new Response('ab')
  }
  @Get('health/:part') health(@Param('part') _part: string, @Query() _query: object) {
    return work('probe')
  }
}

const user = (request: { headers: Record<string, string> }) => request.headers['x-user']
const start = (options: AppOptions) => startApp({ controllers: [Chat], ...options })
const headers = { 'x-user': 'ada' }

describe.each(ADAPTERS)('a route of %s', (adapter) => {
  it('has the values of its decorators and those of its class', async () => {
    await using app = await start({ adapter })
    await fetch(`${app.url}/chat/marked`)
    const values = {
      'svc.trace.name': 'chat',
      'svc.trace.tags': ['chat', 'fast'],
      'svc.trace.metadata.team': '"blue"',
      'svc.trace.metadata.plan': '"pro"',
    }
    expect((await app.span('Chat.marked')).attributes).toMatchObject({ ...values, 'svc.trace.public': true })
    expect((await app.span('model')).attributes).toMatchObject(values)
    await fetch(`${app.url}/chat/plain`)
    expect((await app.span('Chat.plain')).attributes).not.toHaveProperty(['svc.trace.public'])
  })

  it('has no root and no user with @SkipSvc', async () => {
    await using app = await start({ adapter, options: { user } })
    await fetch(`${app.url}/chat/skipped`, { headers })
    expect(await app.tree()).toBe('model')
  })

  it('has the user that a guard sets, also on spans that ended before', async () => {
    await using app = await start({ adapter })
    await fetch(`${app.url}/chat/guarded`, { headers })
    expect(await app.tree()).toBe('Chat.guarded (ada)\n  before (ada)\n  model (ada)')
    expect((await app.span('before')).tags).toEqual(['chat', 'guarded'])
  })

  it('has the user of an asynchronous resolver, also on spans that ended before', async () => {
    const later = async (request: { headers: Record<string, string> }) => {
      await new Promise(setImmediate)
      return user(request)
    }
    await using app = await start({ adapter, options: { user: later, context: () => ({ sessionId: 's1' }) } })
    await fetch(`${app.url}/chat/plain`, { headers })
    expect(await app.tree()).toBe('Chat.plain (ada)\n  model (ada)')
    expect((await app.svc.spans()).map(({ sessionId }) => sessionId)).toEqual(['s1', 's1'])
  })

  it('works without a user when its resolver fails', async () => {
    await using app = await start({
      adapter,
      options: {
        user: () => {
          throw new Error('no')
        },
        session: async () => {
          throw new Error('no')
        },
      },
    })
    expect((await fetch(`${app.url}/chat/plain`)).status).toBe(200)
    expect(await app.tree()).toBe('Chat.plain\n  model')
    expect(logged()).toEqual([
      expect.stringContaining('the user resolver of SvcModule failed, so its values are missing: no'),
      expect.stringContaining('the session resolver of SvcModule failed, so its values are missing: no'),
    ])
  })

  it('can read its trace id', async () => {
    await using app = await start({ adapter })
    const id = await (await fetch(`${app.url}/chat/id`)).text()
    expect(id).toBe((await app.span('Chat.id')).traceId)
  })

  it('can set trace attributes', async () => {
    await using app = await start({ adapter })
    await fetch(`${app.url}/chat/updated`)
    const root = await app.span('Chat.updated')
    expect(root).toMatchObject({ userId: 'eve', input: 'in', output: '{"out":1}' })
    expect(root.attributes).toMatchObject({ 'svc.trace.name': 'updated', 'svc.trace.public': true })
    expect((await app.span('model')).userId).toBe('eve')
  })

  it('records input and output only with captureInput and captureOutput', async () => {
    const post = (url: string) =>
      fetch(`${url}/chat/echo/7`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"q":1}' })
    await using quiet = await start({ adapter })
    await post(quiet.url)
    expect(await quiet.span('Chat.echo')).toMatchObject({ input: undefined, output: undefined })
    await using app = await start({ adapter, options: { captureInput: true, captureOutput: true } })
    await post(app.url)
    expect(await app.span('Chat.echo')).toMatchObject({ input: '{"q":1}', output: '{"answer":42}' })
    await fetch(`${app.url}/chat/health/model?deep=1`)
    expect(await app.span('Chat.health')).toMatchObject({ input: '{"deep":"1","part":"model"}', output: 'probe' })
    for (const route of ['many', 'generator', 'file', 'response']) {
      await (await fetch(`${app.url}/chat/${route}`)).text()
      expect((await app.span(`Chat.${route}`)).output).toBe('ab')
    }
  })

  it.each([
    ['/chat/health/{*all}', ['Chat.echo', 'Chat.plain']],
    [{ path: 'chat/health/:part', method: RequestMethod.GET }, ['Chat.echo', 'Chat.plain']],
    [{ path: 'chat/{*all}', method: RequestMethod.GET }, ['Chat.echo']],
  ])('is not recorded if it matches a pattern of exclude: %j', async (pattern, roots) => {
    await using app = await start({ adapter, options: { user, exclude: [pattern] } })
    await fetch(`${app.url}/chat/health/model`, { headers })
    await fetch(`${app.url}/chat/plain`, { headers })
    await fetch(`${app.url}/chat/echo/7`, { headers, method: 'POST' })
    const spans = await app.svc.spans()
    expect(spans.map(({ name }) => name).filter((name) => name.startsWith('Chat'))).toEqual(roots.toSorted().reverse())
    expect(spans.find(({ name }) => name === 'probe')).toMatchObject({ userId: undefined, parentId: undefined })
  })

  it('is matched below a global prefix and in every version, also by exclude', async () => {
    await using app = await start({
      adapter,
      options: { exclude: [{ path: 'chat/health/model', method: RequestMethod.GET, version: '2' }] },
      before: (nest) => {
        nest.setGlobalPrefix('api', { exclude: ['chat/plain'] })
        nest.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' })
      },
    })
    for (const path of ['api/v2/chat/marked', 'api/v2/chat/health/model', 'v2/chat/plain', 'chat/plain']) {
      await fetch(`${app.url}/${path}`)
    }
    expect(
      (await app.svc.spans())
        .map(({ name }) => name)
        .filter((name) => name.startsWith('Chat'))
        .sort(),
    ).toEqual(['Chat.marked', 'Chat.plain'])
  })

  it('ignores svc baggage of a client unless trustBaggage is true', async () => {
    const forged = { baggage: 'svc_user_id=eve,svc_session_id=forged,other=stays' }
    await using app = await start({ adapter })
    await fetch(`${app.url}/chat/plain`, { headers: forged })
    const spans = await app.svc.spans()
    expect(spans.map(({ userId, sessionId }) => [userId, sessionId])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('responds if a client sends malformed headers', async () => {
    await using app = await start({ adapter, options: { user } })
    const { port } = new URL(app.url)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(
        { port, path: '/chat/plain?%E0%A4%A', headers: { 'x-user': 'x'.repeat(500) } },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode))
        },
      )
      sent.on('error', reject).end()
    })
    expect(status).toBe(200)
    expect(await app.tree()).toBe('Chat.plain\n  model')
  })
})
