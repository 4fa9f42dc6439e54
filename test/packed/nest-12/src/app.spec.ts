import type { INestApplication } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { AppModule } from './app.module.js'

describe('an application that is tested without a thought of svc', () => {
  let app: INestApplication
  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile()
    app = module.createNestApplication()
    await app.listen(0)
  })
  afterAll(() => app.close())

  it('answers', async () => {
    expect(await (await fetch(await app.getUrl())).text()).toBe('Hello World!')
  })
})
