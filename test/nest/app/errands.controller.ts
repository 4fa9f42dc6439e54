import { Controller, ForbiddenException, Get, HttpException, Inject, Injectable, Redirect } from '@nestjs/common'
import { Observe, PublicTrace, SkipSvc, SvcService, SvcTrace, TraceId } from '@svc/nestjs'
import { work } from './work.js'

/** A promise-like that does its work when somebody asks for the result, as query builders do. */
export class LazyQuery implements PromiseLike<string> {
  static executed = 0

  // biome-ignore lint/suspicious/noThenProperty: that is what it is
  then<A = string, B = never>(done?: ((value: string) => A | PromiseLike<A>) | null): Promise<A | B> {
    LazyQuery.executed += 1
    return Promise.resolve('rows').then(done) as Promise<A>
  }

  limit(): this {
    return this
  }
}

@Injectable()
export class Errands {
  @Observe({ asType: 'retriever', name: 'query', captureOutput: true })
  query(): LazyQuery {
    return new LazyQuery()
  }
}

@Controller('errands')
export class ErrandsController {
  constructor(
    @Inject(Errands) private readonly errands: Errands,
    @Inject(SvcService) private readonly svc: SvcService,
  ) {}

  @Get('ok')
  ok(): string {
    return work('handler', () => 'ok')
  }

  @Get('redirect')
  @Redirect('/errands/ok', 302)
  redirect(): void {}

  @Get('forbidden')
  forbidden(): void {
    throw new ForbiddenException('not yours')
  }

  @Get('unavailable')
  unavailable(): void {
    throw new HttpException('the model sleeps', 503)
  }

  @Get('broken')
  broken(): void {
    throw new TypeError('the model is on strike')
  }

  @Get('skipped')
  @SkipSvc()
  skipped(): string {
    return work('handler', () => 'ok')
  }

  @Get('excluded')
  excluded(): string {
    return work('handler', () => 'ok')
  }

  @Get('public')
  @PublicTrace()
  @SvcTrace({ name: 'errand', tags: ['public'] })
  public(@TraceId() id: string): { readonly id: string } {
    return { id }
  }

  @Get('lazy')
  lazy(): { readonly executed: number } {
    this.errands.query().limit()
    return { executed: LazyQuery.executed }
  }

  @Get('awaited')
  async awaited(): Promise<{ readonly rows: string }> {
    return { rows: await this.errands.query().limit() }
  }

  @Get('identified')
  identified(): string {
    this.svc.identify({ userId: 'identified', sessionId: 'later' })
    return 'ok'
  }
}
