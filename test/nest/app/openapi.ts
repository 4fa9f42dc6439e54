import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { Body, Controller, Module, Param, Post, UsePipes, ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import { Observe, PublicTrace, SvcModule, SvcTrace } from '@svc/nestjs'
import { IsInt, IsString, Max } from 'class-validator'

class OrderDto {
  @ApiProperty({ description: 'what' })
  @IsString()
  item!: string

  @ApiProperty({ maximum: 5 })
  @IsInt()
  @Max(5)
  count!: number
}

/** The same controller, with our decorators or without. */
function controller(ours: boolean) {
  const none = () => {}
  @Controller('orders')
  @(ours ? SvcTrace({ tags: ['orders'] }) : none)
  class OrdersController {
    @(ours ? Observe({ asType: 'tool', name: 'above' }) : none)
    @(ours ? PublicTrace() : none)
    @Post(':id')
    @ApiOperation({ summary: 'Places an order' })
    @ApiBody({ type: OrderDto })
    @ApiOkResponse({ type: OrderDto })
    @UsePipes(new ValidationPipe({ transform: true }))
    @(ours ? Observe({ asType: 'agent', name: 'below' }) : none)
    place(@Param('id') id: string, @Body() order: OrderDto): object {
      return { id, ...order, isOrder: order instanceof OrderDto }
    }
  }
  return OrdersController
}

async function seen(ours: boolean): Promise<object> {
  const orders = controller(ours)
  @Module({ imports: ours ? [SvcModule.forRoot({})] : [], controllers: [orders] })
  class OrdersModule {}
  const app = await NestFactory.create(OrdersModule, new ExpressAdapter(), { logger: ['error', 'warn'] })
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build())
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address() as AddressInfo
  const answers = []
  for (const order of [
    { item: 'tea', count: 2 },
    { item: 7, count: 9 },
  ]) {
    const body = JSON.stringify(order)
    const headers = { 'content-type': 'application/json' }
    answers.push(await (await fetch(`http://127.0.0.1:${port}/orders/1`, { method: 'POST', headers, body })).json())
  }
  await app.close()
  const { name, length } = orders.prototype.place
  return { document, answers, name, length }
}

console.log(JSON.stringify([await seen(false), await seen(true)]))
