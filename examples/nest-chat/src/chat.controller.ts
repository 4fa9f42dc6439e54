import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  Headers,
  type MessageEvent,
  Req,
  RequestMethod,
  Sse,
} from '@nestjs/common'
import { from, type Observable } from 'rxjs'
import { Assistant } from './assistant.js'
import type { Authorized } from './auth.guard.js'
import { type Conversation, Conversations } from './conversations.js'
import { SummaryWorker } from './summary.worker.js'

@Controller()
export class ChatController {
  constructor(
    private readonly assistant: Assistant,
    private readonly conversations: Conversations,
    private readonly summaries: SummaryWorker,
  ) {}

  @Sse('chat', { method: RequestMethod.POST })
  chat(
    @Req() { user }: Authorized,
    @Headers('x-conversation') id: string,
    @Body('question') question: string,
  ): Observable<MessageEvent> {
    const name = user?.name ?? ''
    const conversation = this.conversations.of(name, id)
    if (!conversation) throw new ForbiddenException()
    return from(this.events(question, conversation, { user: name, conversation: id }))
  }

  @Get('health')
  health(): string {
    return 'ok'
  }

  private async *events(
    question: string,
    conversation: Conversation,
    job: { user: string; conversation: string },
  ): AsyncGenerator<MessageEvent> {
    let answer = ''
    for await (const text of this.assistant.answer(question, conversation)) {
      answer += text
      yield { data: { text } }
    }
    conversation.turns.push({ question, answer })
    this.summaries.add(job)
    yield { type: 'done', data: { turns: conversation.turns.length } }
  }
}
