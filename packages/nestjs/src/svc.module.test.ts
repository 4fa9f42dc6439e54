import 'reflect-metadata'
import { Controller, Get, Inject, Injectable } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { startActiveObservation } from '@svc/tracing'
import { expect, it } from 'vitest'
import { SvcService } from './index.ts'
import { SvcTesting, SvcTestingModule } from './testing/index.ts'

@Injectable()
class Agent {
  run() {
    return startActiveObservation('agent', async () => 'hi')
  }
}
@Controller('chat')
class ChatController {
  constructor(
    @Inject(Agent) readonly agent: Agent,
    @Inject(SvcService) readonly svc: SvcService,
  ) {}
  @Get() ask() {
    return this.agent.run()
  }
}

it('works', async () => {
  const module = await Test.createTestingModule({
    imports: [SvcTestingModule.forRoot({ user: (r) => r.headers['x-user'] })],
    controllers: [ChatController],
    providers: [Agent],
  }).compile()
  const app = module.createNestApplication()
  await app.listen(0, '127.0.0.1')
  const answer = await fetch(`${await app.getUrl()}/chat`, { headers: { 'x-user': 'ada' } })
  expect(await answer.text()).toBe('hi')
  const spans = await module.get(SvcTesting).spans()
  console.log(spans)
  await app.close()
})
