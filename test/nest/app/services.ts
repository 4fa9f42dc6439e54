import 'reflect-metadata'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Controller, Get, Inject, Module, Query } from '@nestjs/common'
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
import { propagateAttributes } from '@svc/tracing'
import { firstValueFrom } from 'rxjs'
import { work } from './work.js'

// Two services of one application: ROLE says which of them this is.
const { ROLE, ORDERS_URL = '', ORDERS_PORT = '0', REDIS_SOCKET = '', TRUST } = process.env
const trusted = TRUST === 'loopback' ? [TRUST] : TRUST === 'true'
const trust = { trustTraceparent: trusted, trustBaggage: trusted }

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
  constructor(
    @Inject('TCP') private readonly overTcp: ClientProxy,
    @Inject('REDIS') private readonly overRedis: ClientProxy,
  ) {}

  @Get('fetch')
  fetch(@Query('as') user?: string): Promise<string> {
    return named(user, async () => (await fetch(`${ORDERS_URL}/order`)).text())
  }

  @Get('http')
  http(@Query('as') user?: string): Promise<string> {
    return named(
      user,
      () =>
        new Promise((resolve, reject) => {
          get(`${ORDERS_URL}/order`, (response) => response.setEncoding('utf8').on('data', resolve)).on('error', reject)
        }),
    )
  }

  @Get('tcp')
  tcp(@Query('as') user?: string): Promise<string> {
    return named(user, () => firstValueFrom(this.overTcp.send<string>('order', {})))
  }

  @Get('redis')
  redis(@Query('as') user?: string): Promise<string> {
    return named(user, () => firstValueFrom(this.overRedis.send<string>('order', {})))
  }
}

/** Asks on behalf of a user, if the other service is to know. */
function named<T>(userId: string | undefined, ask: () => Promise<T>): Promise<T> {
  return userId === undefined ? ask() : propagateAttributes({ userId, asBaggage: true }, ask)
}

const tcp = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const
// Nest hands all of it to ioredis, and has no type for the path.
const redis = { transport: Transport.REDIS, options: { host: '', path: REDIS_SOCKET } } as const
const serializer = new SvcSerializer()

@Module({ imports: [SvcModule.forRoot(trust)], controllers: [Orders] })
class OrdersModule {}

@Module({
  imports: [
    SvcModule.forRoot({ user: () => 'ada' }),
    ClientsModule.register([
      { ...tcp, name: 'TCP', options: { ...tcp.options, port: Number(ORDERS_PORT), serializer } },
      { ...redis, name: 'REDIS', options: { ...redis.options, serializer } },
    ]),
  ],
  controllers: [Gateway],
})
class GatewayModule {}

const app = await NestFactory.create(ROLE === 'orders' ? OrdersModule : GatewayModule, new ExpressAdapter(), {
  logger: ['error', 'warn'],
})
const microservice = app.connectMicroservice<MicroserviceOptions>(tcp, { inheritAppConfig: true })
if (ROLE === 'orders') app.connectMicroservice<MicroserviceOptions>(redis, { inheritAppConfig: true })
await app.startAllMicroservices()
await app.listen(0, '127.0.0.1')
const port = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
console.log(`listening ${JSON.stringify({ http: port(app.getHttpServer()), tcp: port(microservice.unwrap()) })}`)
