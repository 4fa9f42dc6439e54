import { Test } from '@nestjs/testing'
import { SvcTesting, SvcTestingModule } from '@svc/nestjs/testing'
import { startActiveObservation } from '@svc/tracing'
import { AppModule } from './app.module'

describe('SvcTestingModule', () => {
  it('returns the spans of a request as a tree with its user and session', async () => {
    const module = await Test.createTestingModule({ imports: [SvcTestingModule.forRoot(), AppModule] }).compile()
    const app = module.createNestApplication()
    await app.listen(0)
    await fetch(await app.getUrl(), { headers: { 'x-session': 's-7' } })
    const [work, root] = await module.get(SvcTesting).spans()
    expect([work, root]).toMatchObject([
      { name: 'AppService.getHello', output: 'Hello World!', parentId: root.id },
      { name: 'AppController.getHello', parentId: undefined },
    ])
    expect([work, root].map(({ userId, sessionId }) => [userId, sessionId])).toEqual([
      ['7', 's-7'],
      ['7', 's-7'],
    ])
    await app.close()
  })

  it('is empty again in the next test', async () => {
    const module = await Test.createTestingModule({ imports: [SvcTestingModule.forRoot()] }).compile()
    startActiveObservation('alone', () => {})
    expect((await module.get(SvcTesting).spans()).map(({ name }) => name)).toEqual(['alone'])
  })
})
