import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common'
import { SvcObserve, SvcService } from '@svc/nestjs'
import { Assistant } from './assistant.js'
import { Conversations } from './conversations.js'

export interface SummaryJob {
  readonly user: string
  readonly conversation: string
}

/**
 * A worker and its queue, in memory. With BullMQ this is a `@Processor` that extends `WorkerHost`, and `process` looks
 * the same: a trace of its own, which belongs to the user and the session that the job names.
 */
@Injectable()
export class SummaryWorker implements BeforeApplicationShutdown {
  readonly #logger = new Logger(SummaryWorker.name)
  #last: Promise<void> = Promise.resolve()

  constructor(
    private readonly assistant: Assistant,
    private readonly conversations: Conversations,
    private readonly svc: SvcService,
  ) {}

  add(job: SummaryJob): void {
    this.#last = this.#last.then(() => this.process(job)).catch((error) => this.#logger.error(error))
  }

  @SvcObserve({ name: 'summarize', root: true })
  process({ user, conversation: id }: SummaryJob): Promise<void> {
    return this.svc.propagate({ userId: user, sessionId: id }, async () => {
      const conversation = this.conversations.of(user, id)
      if (!conversation) return
      const said = conversation.turns.map(({ question, answer }) => `${question}\n${answer}`).join('\n')
      conversation.summary = await this.assistant.say(`Summarize: ${said}`)
    })
  }

  /** Jobs that were taken are done before the end. */
  beforeApplicationShutdown(): Promise<void> {
    return this.#last
  }
}
