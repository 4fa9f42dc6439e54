import { Test } from '@nestjs/testing'
import { SvcTesting, SvcTestingModule } from '@svc/nestjs/testing'

describe('SvcTestingModule', () => {
  it('returns the spans of a request, with calls of libraries that are loaded later', async () => {
    const svc = SvcTestingModule.forRoot()
    const { AppModule } = await import('./app.module.js')
    const module = await Test.createTestingModule({ imports: [svc, AppModule] }).compile()
    const app = module.createNestApplication()
    await app.listen(0)
    const headers = { 'x-session': 's-7' }
    await fetch(await app.getUrl(), { headers })
    await fetch(`${await app.getUrl()}/ask`, { headers })
    const spans = await module.get(SvcTesting).spans()
    expect(spans.map(({ name, userId, sessionId }) => [name, userId, sessionId])).toEqual([
      ['AppService.getHello', '7', 's-7'],
      ['AppController.getHello', '7', 's-7'],
      ['chat gpt-test', undefined, 's-7'],
      ['AppController.ask', undefined, 's-7'],
    ])
    expect(spans[2].parentId).toBe(spans[3].id)
    await app.close()
  })
})
