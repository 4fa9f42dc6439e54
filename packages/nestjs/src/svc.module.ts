import {
  type DynamicModule,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnApplicationShutdown,
} from '@nestjs/common'
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core'
import { log, warnOnce } from '@svc/core/log'
import { getRuntime } from '@svc/core/registry'
import { speakThroughNest } from './nest-logger.ts'
import { checked, type SvcModuleExtras, type SvcModuleOptions } from './options.ts'
import { shareSettings } from './pre-request-hook.ts'
import { join } from './runtime.ts'
import { SVC_SETTINGS, type SvcSettings, settingsOf } from './settings.ts'
import { SvcInterceptor } from './svc.interceptor.ts'
import { ConfigurableModuleClass, SVC_MODULE_OPTIONS } from './svc.module-definition.ts'
import { SvcService } from './svc.service.ts'
import { SvcBindGuard } from './svc-bind.guard.ts'
import { callAlone, omitAlone, patchNest } from './transport/alone.ts'
import { exclusionOf } from './transport/exclusion.ts'
import { interceptGateways } from './transport/gateways.ts'
import { openRequests } from './transport/http-server.ts'
import { warnOfUnusedInterceptor } from './transport/hybrid.ts'

/** The applications that have a module. */
const known = new WeakSet<ModulesContainer>()

const TWICE =
  'SvcModule.forRoot() was called more than once for one application: the options of the first module count for ' +
  'requests. Import it in the root module only; SvcService is injectable everywhere.'
const REQUEST_SCOPE =
  'SvcModule does nothing, because its options depend on a provider of request scope. Give forRootAsync options that are ' +
  'the same for all requests; the user and session resolvers run for each request.'

/**
 * Makes every request and message of the application one trace, with its user and session.
 *
 * @example
 * @Module({ imports: [SvcModule.forRoot({ user: (request) => request.user?.id })] })
 * export class AppModule {}
 */
@Module({
  providers: [
    {
      provide: SVC_SETTINGS,
      inject: [SVC_MODULE_OPTIONS],
      useFactory: async (options: unknown) => {
        const given = checked(options)
        speakThroughNest()
        const settings = settingsOf(given, await join(given))
        if (settings.active) await patchNest()
        return settings
      },
    },
    SvcService,
    SvcBindGuard,
    SvcInterceptor,
  ],
  exports: [SvcService, SVC_SETTINGS],
})
export class SvcModule extends ConfigurableModuleClass implements NestModule, OnApplicationShutdown {
  readonly #settings: SvcSettings
  readonly #adapter: HttpAdapterHost

  constructor(
    @Inject(SVC_SETTINGS) settings: SvcSettings,
    @Inject(HttpAdapterHost) adapter: HttpAdapterHost,
    @Inject(SvcBindGuard) guard: SvcBindGuard,
    @Inject(SvcInterceptor) interceptor: SvcInterceptor,
    @Inject(ApplicationConfig) application: ApplicationConfig,
    @Inject(ModulesContainer) modules: ModulesContainer,
  ) {
    super()
    this.#settings = settings
    this.#adapter = adapter
    shareSettings(settings)
    if (known.has(modules)) warnOnce(TWICE)
    known.add(modules)
    if (!settings.active) return
    // Not as APP_GUARD: those of the root module would run first. Tests can override the providers all the same.
    const reported = warnOfUnusedInterceptor(modules, interceptor)
    application.useGlobalGuards(guard)
    application.useGlobalInterceptors(reported)
    interceptGateways(modules, interceptor)
    // Tests may put others in their place. Without ours as interceptor, the guard is what binds requests.
    if (interceptor.intercept === SvcInterceptor.prototype.intercept) {
      if (guard.canActivate === SvcBindGuard.prototype.canActivate) omitAlone(guard)
      callAlone(reported, settings)
    }
  }

  /**
   * @typeParam Request what resolvers get: `Request` of Express, `FastifyRequest`. Default: anything
   * @throws {SvcOptionsError} when an option is unknown or of the wrong type
   */
  // biome-ignore lint/suspicious/noExplicitAny: which request it is, is decided by the adapter; Nest itself says any.
  static override forRoot<Request = any>(options: SvcModuleOptions<Request> & SvcModuleExtras = {}): DynamicModule {
    checked(options)
    // biome-ignore lint/complexity/noThisInStatic: Nest takes the class it was called on for the module.
    return super.forRoot(options)
  }

  configure(consumer: MiddlewareConsumer): void {
    // Nest makes a module of request scope with each request, and until then there is only its prototype.
    if (!(#settings in this)) {
      warnOnce(REQUEST_SCOPE)
      return
    }
    const { httpAdapter } = this.#adapter
    if (!this.#settings.active || !httpAdapter) return
    openRequests(httpAdapter, this.#settings, exclusionOf(consumer, this.#settings.exclude))
  }

  /** Delivers the last spans, whether or not the application listens to signals. */
  async onApplicationShutdown(): Promise<void> {
    if (!(#settings in this) || !getRuntime()) return
    const { shutdownTimeoutMs } = this.#settings
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        log.once(
          'warn',
          `closing did not wait for the last spans: they were not accepted within ${shutdownTimeoutMs} ms (shutdownTimeoutMs).`,
        )
        resolve()
      }, shutdownTimeoutMs)
    })
    await Promise.race([getRuntime()?.forceFlush(), late])
    clearTimeout(timer)
  }
}
