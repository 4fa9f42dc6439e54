import { Controller, Get, Inject, Injectable, Module, Scope } from '@nestjs/common'
import { APP_GUARD, ApplicationConfig, NestFactory } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { resetGlobalLogger } from '@svc/core/log'
import { describe, expect, it, vi } from 'vitest'
import { startApp } from '../test/app.ts'
import { svcLines } from '../test/log.ts'
import {
  SVC_MODULE_OPTIONS,
  SvcBindGuard,
  SvcInterceptor,
  SvcModule,
  type SvcModuleOptions,
  type SvcOptionsFactory,
  SvcService,
} from './index.ts'
import { SVC_SETTINGS, settingsOf as settingsFor } from './settings.ts'
import { SvcTestingModule } from './testing/index.ts'

@Controller()
class Ping {
  @Get() ping() {
    return 'pong'
  }
}

const options: SvcModuleOptions = { captureInput: true }

@Injectable()
class Factory implements SvcOptionsFactory {
  createSvcOptions() {
    return options
  }
}

@Module({ providers: [Factory], exports: [Factory] })
class ConfigModule {}

/** The settings that a module ends up with, beside a pipeline that runs. */
async function settingsOf(module: ReturnType<typeof SvcModule.forRoot>): Promise<unknown> {
  const compiled = await Test.createTestingModule({ imports: [SvcTestingModule.forRoot(), module] }).compile()
  return compiled.get(SVC_SETTINGS, { strict: false })
}

describe('SvcModule', () => {
  it('works without options', async () => {
    expect(await settingsOf(SvcModule.forRoot())).toMatchObject({
      active: true,
      captureInput: undefined,
      captureOutput: undefined,
      trustBaggage: undefined,
      trustTraceparent: undefined,
      exclude: [],
      shutdownTimeoutMs: 2_000,
    })
  })

  it.each([
    ['useFactory', { inject: [Factory], useFactory: (factory: Factory) => factory.createSvcOptions() }],
    ['useFactory, later', { useFactory: async () => options }],
    ['useClass', { useClass: Factory }],
    ['useExisting', { useExisting: Factory }],
  ])('takes its options asynchronously: %s', async (_, from) => {
    const module = SvcModule.forRootAsync({ imports: [ConfigModule], ...from })
    expect(await settingsOf(module)).toMatchObject({ captureInput: true })
  })

  it('rejects unknown options, synchronous or asynchronous', async () => {
    const wrong = { user: 'ada' } as unknown as SvcModuleOptions
    const message = 'svc: option user of SvcModule is "ada": expected a function (request, host) => user id.'
    expect(() => SvcModule.forRoot(wrong)).toThrow(message)
    await expect(settingsOf(SvcModule.forRootAsync({ useFactory: () => wrong }))).rejects.toThrow(message)
  })

  it('is a global module unless isGlobal is false', async () => {
    @Injectable()
    class NeedsSvc {
      constructor(@Inject(SvcService) readonly svc: SvcService) {}
    }
    @Module({ providers: [NeedsSvc] })
    class Feature {}
    const compile = (isGlobal?: boolean) =>
      Test.createTestingModule({ imports: [SvcTestingModule.forRoot({ isGlobal }), Feature] }).compile()
    expect((await compile()).get(NeedsSvc, { strict: false }).svc).toBeInstanceOf(SvcService)
    await expect(compile(false)).rejects.toThrow(/SvcService/)
  })

  it('allows tests to override its providers', async () => {
    const seen: string[] = []
    const double = {
      intercept: (host: { getHandler(): { name: string } }, next: { handle(): unknown }) => {
        seen.push(host.getHandler().name)
        return next.handle()
      },
    }
    await using app = await startApp({
      controllers: [Ping],
      overrides: (builder) => builder.overrideProvider(SvcInterceptor).useValue(double),
    })
    expect(await (await fetch(app.url)).text()).toBe('pong')
    expect(seen).toEqual(['ping'])
    const guarded: unknown[] = []
    const guard = { canActivate: (host: { getHandler(): unknown }) => guarded.push(host.getHandler()) > 0 }
    await using other = await startApp({
      controllers: [Ping],
      overrides: (builder) => builder.overrideProvider(SvcBindGuard).useValue(guard),
    })
    await fetch(other.url)
    expect(guarded).toEqual([Ping.prototype.ping])
  })

  it('adds nothing to requests if tracing is off', async () => {
    const inactive = settingsFor({}, false)
    await using app = await startApp({
      controllers: [Ping],
      overrides: (builder) => builder.overrideProvider(SVC_SETTINGS).useValue(inactive),
    })
    const config = app.app.get(ApplicationConfig)
    expect([config.getGlobalGuards(), config.getGlobalInterceptors()]).toEqual([[], []])
    expect(await (await fetch(app.url)).text()).toBe('pong')
    expect(await app.tree()).toBe('')
  })

  it.each([
    [{ logger: false as const }, []],
    [{ logger: svcLines }, ['svc: [WARN] SvcModule.forRoot() was called more than once']],
  ])('logs through the logger of the application: %j', async (nest, expected) => {
    const lines: string[] = []
    const warn = vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(String(line).slice(0, 60)))
    resetGlobalLogger()
    await using app = await startApp({
      imports: [SvcModule.forRoot({ captureOutput: true })],
      controllers: [Ping],
      nest,
    })
    await fetch(app.url)
    expect(lines).toEqual(expected.map((line) => expect.stringContaining(line.slice(0, 60))))
    warn.mockRestore()
  })

  it('logs through a logger that is set later with bufferLogs', async () => {
    const warn = vi.fn()
    const early = vi.spyOn(console, 'warn').mockImplementation(() => {})
    resetGlobalLogger()
    @Module({ imports: [SvcTestingModule.forRoot({}), SvcModule.forRoot({ captureOutput: true })] })
    class Twice {}
    const app = await NestFactory.create(Twice, { bufferLogs: true })
    expect(warn.mock.calls).toEqual([])
    app.useLogger({ log() {}, error() {}, warn })
    await app.init()
    await app.close()
    expect(warn.mock.calls).toEqual([[expect.stringContaining('SvcModule.forRoot() was called more than once'), 'Svc']])
    expect(early.mock.calls).toEqual([])
    early.mockRestore()
  })

  it('allows tests to override its options', async () => {
    await using app = await startApp({
      controllers: [Ping],
      options: { user: () => 'ada' },
      overrides: (builder) => builder.overrideProvider(SVC_MODULE_OPTIONS).useValue({ user: () => 'eve' }),
    })
    await fetch(app.url)
    expect((await app.span('Ping.ping')).userId).toBe('eve')
  })

  it('passes the request to resolvers', () => {
    interface AppRequest {
      readonly user?: { readonly id: number }
    }
    SvcModule.forRoot<AppRequest>({ user: (request) => request.user?.id })
    // @ts-expect-error a request of this application has no session
    SvcModule.forRoot<AppRequest>({ session: (request) => request.session })
  })

  it('logs nothing through SvcService if tracing is off', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    @Controller()
    class Says {
      constructor(@Inject(SvcService) private readonly svc: SvcService) {}
      @Get() say() {
        this.svc.identify({ userId: 'ada' })
        this.svc.updateTrace({ input: 'in', output: 'out', public: true })
        this.svc.setTraceAsPublic()
        return this.svc.startActiveObservation('work', () => 'done')
      }
    }
    await using app = await startApp({
      controllers: [Says],
      overrides: (builder) => builder.overrideProvider(SVC_SETTINGS).useValue(settingsFor({}, false)),
    })
    expect(await (await fetch(app.url)).text()).toBe('done')
    expect(warn.mock.calls).toEqual([])
    warn.mockRestore()
  })

  it('answers the request if what SvcService is given throws when it is read', async () => {
    const given = {
      get userId(): string {
        throw new Error('no user yet')
      },
    }
    @Controller()
    class Reads {
      constructor(@Inject(SvcService) private readonly svc: SvcService) {}
      @Get() read() {
        this.svc.identify(given)
        this.svc.updateTrace(given)
        return 'done'
      }
    }
    await using app = await startApp({ controllers: [Reads] })
    expect(await (await fetch(app.url)).text()).toBe('done')
    expect((await app.span('Reads.read')).level).toBeUndefined()
  })

  it('logs nothing through SvcService in an excluded request', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    @Injectable()
    class Names {
      constructor(@Inject(SvcService) private readonly svc: SvcService) {}
      canActivate() {
        this.svc.identify({ userId: 'ada' })
        return true
      }
    }
    await using app = await startApp({
      controllers: [Ping],
      providers: [{ provide: APP_GUARD, useClass: Names }],
      options: { exclude: ['/'] },
    })
    expect(await (await fetch(app.url)).text()).toBe('pong')
    expect(await app.tree()).toBe('')
    expect(warn.mock.calls).toEqual([])
    warn.mockRestore()
  })

  it('does not trace, with a warning, if its options depend on a request-scoped provider', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {}
    @Module({ providers: [Tenant], exports: [Tenant] })
    class TenantModule {}
    const svc = SvcModule.forRootAsync({ imports: [TenantModule], inject: [Tenant], useFactory: () => ({}) })
    const app = (
      await Test.createTestingModule({ imports: [svc], controllers: [Ping] }).compile()
    ).createNestApplication({ logger: svcLines })
    await app.listen(0, '127.0.0.1')
    expect(await (await fetch(await app.getUrl())).text()).toBe('pong')
    await app.close()
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining('depend on a provider of request scope')])
    warn.mockRestore()
  })

  it('creates one root if it is imported twice, with a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    resetGlobalLogger()
    await using app = await startApp({ imports: [SvcModule.forRoot({ captureOutput: true })], controllers: [Ping] })
    await fetch(app.url)
    expect(await app.tree()).toBe('Ping.ping')
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining('SvcModule.forRoot() was called more than once')])
    warn.mockRestore()
  })
})
