import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../support/service.ts'
import { launch } from './support/column.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it.each([11, 12] as const)(
  'our decorators change neither the OpenAPI document nor validation (Nest %i)',
  async (nest) => {
    const program = launch({ nest, adapter: 'express', node: '24.21.0', preload: true }, 'openapi.js', service.env)
    const { code, stdout, stderr } = await program.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [plain, decorated] = JSON.parse(stdout)
    expect(decorated).toEqual(plain)
    expect(plain).toMatchObject({
      name: 'place',
      length: 2,
      document: {
        paths: { '/orders/{id}': { post: { summary: 'Places an order', operationId: 'OrdersController_place' } } },
        components: { schemas: { OrderDto: { required: ['item', 'count'] } } },
      },
      answers: [
        { id: '1', item: 'tea', count: 2, isOrder: true },
        { statusCode: 400, message: ['item must be a string', 'count must not be greater than 5'] },
      ],
    })
  },
)
