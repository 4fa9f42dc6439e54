import { Controller, Get, Inject, Injectable, Post, Req } from '@nestjs/common'
import { EventEmitter2, OnEvent } from '@nestjs/event-emitter'
import { Cron, Interval } from '@nestjs/schedule'
import { Observe, SvcService } from '@svc/nestjs'
import { type Carrier, type Claims, claimsOf } from './caller.js'
import { sharedWork, work } from './work.js'

type Tick = 'interval' | 'cron'

/** Ticks all the time, for nobody. */
@Injectable()
export class Clock {
  readonly #waiting: Record<Tick, (() => void)[]> = { interval: [], cron: [] }

  @Interval(300)
  @Observe({ name: 'interval', root: true })
  async every300ms(): Promise<void> {
    this.#tick('interval')
  }

  @Cron('* * * * * *')
  @Observe({ name: 'cron', root: true })
  async everySecond(): Promise<void> {
    this.#tick('cron')
  }

  next(tick: Tick): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting[tick].push(resolve)
    })
  }

  #tick(tick: Tick): void {
    work('tick', () => {
      for (const go of this.#waiting[tick].splice(0)) go()
    })
  }
}

@Controller('clock')
export class ClockController {
  constructor(@Inject(Clock) private readonly clock: Clock) {}

  @Get('interval')
  interval(): Promise<string> {
    return this.#whileItTicks('interval')
  }

  @Get('cron')
  cron(): Promise<string> {
    return this.#whileItTicks('cron')
  }

  /** Both users are here while it ticks. */
  async #whileItTicks(tick: Tick): Promise<string> {
    await sharedWork('before', tick, true)
    await this.clock.next(tick)
    return sharedWork('after', tick, 'ticked')
  }
}

@Injectable()
export class Bell {
  constructor(@Inject(SvcService) private readonly svc: SvcService) {}

  @OnEvent('ring')
  @Observe({ name: 'ring', root: true })
  async ring({ user: userId, session: sessionId }: Claims): Promise<void> {
    await this.svc.propagate({ userId, sessionId }, () => sharedWork('listener', 'ring', true))
  }
}

@Controller('bell')
export class BellController {
  constructor(@Inject(EventEmitter2) private readonly events: EventEmitter2) {}

  @Post()
  async ring(@Req() request: Carrier): Promise<string> {
    await this.events.emitAsync('ring', claimsOf(request))
    return 'rung'
  }
}
