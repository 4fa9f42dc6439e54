import { Injectable } from '@nestjs/common'
import { SvcObserve } from '@svc/nestjs'
import OpenAI from 'openai'
import type { Conversation } from './conversations.js'

const model = 'gpt-4.1-mini'

@Injectable()
export class Assistant {
  readonly #client = new OpenAI()

  @SvcObserve({ asType: 'agent', name: 'assistant' })
  async *answer(question: string, { turns }: Conversation): AsyncGenerator<string> {
    const messages = [...this.recall(turns), { role: 'user' as const, content: question }]
    const options = { include_usage: true }
    const stream = await this.#client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: options,
    })
    for await (const chunk of stream) yield chunk.choices[0]?.delta.content ?? ''
  }

  @SvcObserve({ asType: 'retriever' })
  recall(turns: Conversation['turns']): OpenAI.ChatCompletionMessageParam[] {
    return turns.slice(-5).flatMap(({ question, answer }) => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ])
  }

  async say(request: string): Promise<string> {
    const { choices } = await this.#client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: request }],
    })
    return choices[0]?.message.content ?? ''
  }
}
