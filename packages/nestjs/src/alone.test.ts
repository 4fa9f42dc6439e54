import { AsyncResource, executionAsyncResource } from 'node:async_hooks'
import {
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  type NestInterceptor,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common'
import { startActiveObservation } from '@svc/tracing'
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ADAPTERS, startApp } from '../test/app.ts'
import { SvcSkip } from './index.ts'

class Passing implements NestInterceptor, CanActivate {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle()
  }
  canActivate() {
    return true
  }
}

class Refusing implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException()
  }
}

/** Whether Nest runs its interceptors around the code that asks: it runs a handler in a resource of its own then. */
const isIntercepted = () => executionAsyncResource() instanceof AsyncResource

@Controller()
class Calls {
  @Get('alone') alone() {
    return startActiveObservation('work', () => ({ intercepted: isIntercepted() }))
  }
  @Get('excluded') excluded() {
    return { intercepted: isIntercepted() }
  }
  @Get('skipped') @SvcSkip() skipped() {
    return { intercepted: isIntercepted() }
  }
  @Get('another') @UseInterceptors(Passing) another() {
    return startActiveObservation('work', () => ({ intercepted: isIntercepted() }))
  }
  @Get('guarded') @UseGuards(Passing, Refusing) guarded() {}
  @Get('observable') observable() {
    return of(startActiveObservation('work', () => 1))
  }
  @Get('failing') failing() {
    return throwError(() => new Error('broken'))
  }
}

describe.each(ADAPTERS)('handlers without application interceptors, %s,', (adapter) => {
  const start = () => startApp({ adapter, controllers: [Calls], options: { exclude: ['excluded'], user: () => 'ada' } })

  it('are called as without SvcModule', async () => {
    await using app = await start()
    const read = async (path: string) => (await (await fetch(`${app.url}/${path}`)).json()) as object
    expect(await read('alone')).toEqual({ intercepted: false })
    expect(await read('excluded')).toEqual({ intercepted: false })
    expect(await read('skipped')).toEqual({ intercepted: false })
    expect(await read('another')).toEqual({ intercepted: true })
  })

  it('are observed like all others', async () => {
    await using app = await start()
    for (const path of ['alone', 'excluded', 'skipped', 'another', 'guarded', 'observable', 'failing']) {
      await (await fetch(`${app.url}/${path}`)).text()
    }
    expect(await app.tree()).toBe(
      [
        'Calls.alone (ada)',
        '  work (ada)',
        'Calls.another (ada)',
        '  work (ada)',
        'Calls.failing (ada) ERROR',
        'Calls.guarded (ada)',
        'Calls.observable (ada)',
        '  work (ada)',
      ].join('\n'),
    )
  })
})
