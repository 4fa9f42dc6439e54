import { Injectable } from '@nestjs/common'
import { SvcObserve } from '@svc/nestjs'
import OpenAI from 'openai'

@Injectable()
export class AppService {
  @SvcObserve({ captureOutput: true })
  getHello(): string {
    return 'Hello World!'
  }

  async ask(question: string): Promise<string | null> {
    const messages = [{ role: 'user' as const, content: question }]
    const { choices } = await new OpenAI().chat.completions.create({ model: 'gpt-test', messages })
    return choices[0].message.content
  }
}
