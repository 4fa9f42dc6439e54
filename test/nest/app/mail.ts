import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq'
import { Controller, Inject, Post, Req } from '@nestjs/common'
import { Observe, SvcService } from '@svc/nestjs'
import { type Job, type Queue, QueueEvents } from 'bullmq'
import { type Carrier, type Claims, claimsOf } from './caller.js'
import { sharedWork } from './work.js'

@Processor('mail', { concurrency: 2 })
export class MailProcessor extends WorkerHost {
  constructor(@Inject(SvcService) private readonly svc: SvcService) {
    super()
  }

  @Observe({ name: 'mail', root: true })
  async process({ data: { user: userId, session: sessionId } }: Job<Claims>): Promise<string> {
    return this.svc.propagate({ userId, sessionId }, () => sharedWork('send', 'mail', 'sent'))
  }
}

@Controller('mail')
export class MailController {
  constructor(@InjectQueue('mail') private readonly queue: Queue) {}

  @Post()
  async mail(@Req() request: Carrier): Promise<string> {
    const events = new QueueEvents('mail', { connection: this.queue.opts.connection })
    try {
      await events.waitUntilReady()
      const job = await this.queue.add('mail', claimsOf(request))
      return await job.waitUntilFinished(events)
    } finally {
      await events.close()
    }
  }
}
