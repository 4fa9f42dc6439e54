import 'reflect-metadata'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Controller, Get, Inject, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import {
  type ClientProxy,
  ClientsModule,
  MessagePattern,
  type MicroserviceOptions,
  Transport,
} from '@nestjs/microservices'
import { ExpressAdapter } from '@nestjs/platform-express'
import { SvcModule, SvcSerializer } from '@svc/nestjs'
import { firstValueFrom } from 'rxjs'
import { work } from './work.js'

// Two services of one application: ROLE says which of them this is.
const { ROLE, ORDERS_URL = '', ORDERS_PORT = '0', TRUST } = process.env
const trust = { trustTraceparent: TRUST === 'true', trustBaggage: TRUST === 'true' }

@Controller()
class Orders {
  @Get('order')
  @MessagePattern('order')
  order(): string {
    return work('order', () => 'ordered')
  }
}

@Controller()
class Gateway {
  constructor(@Inject('ORDERS') private readonly orders: ClientProxy) {}

  @Get('fetch')
  async fetch(): Promise<string> {
    return await (await fetch(`${ORDERS_URL}/order`)).text()
  }

  @Get('http')
  http(): Promise<string> {
    return new Promise((resolve, reject) => {
      get(`${ORDERS_URL}/order`, (response) => response.setEncoding('utf8').on('data', resolve)).on('error', reject)
    })
  }

  @Get('tcp')
  tcp(): Promise<string> {
    return firstValueFrom(this.orders.send<string>('order', {}))
  }
}

const tcp = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const

@Module({ imports: [SvcModule.forRoot(trust)], controllers: [Orders] })
class OrdersModule {}

@Module({
  imports: [
    SvcModule.forRoot({ user: () => 'ada' }),
    ClientsModule.register([
      {
        name: 'ORDERS',
        transport: Transport.TCP,
        options: { host: '127.0.0.1', port: Number(ORDERS_PORT), serializer: new SvcSerializer() },
      },
    ]),
  ],
  controllers: [Gateway],
})
class GatewayModule {}

const app = await NestFactory.create(ROLE === 'orders' ? OrdersModule : GatewayModule, new ExpressAdapter(), {
  logger: ['error', 'warn'],
})
const microservice = app.connectMicroservice<MicroserviceOptions>(tcp, { inheritAppConfig: true })
await app.startAllMicroservices()
await app.listen(0, '127.0.0.1')
const port = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
console.log(`listening ${JSON.stringify({ http: port(app.getHttpServer()), tcp: port(microservice.unwrap()) })}`)
