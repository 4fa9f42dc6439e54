import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { Controller, type INestMicroservice, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { MessagePattern, type MicroserviceOptions, Transport } from '@nestjs/microservices'
import { ExpressAdapter } from '@nestjs/platform-express'
import { SvcModule, svcPreRequestHook } from '@svc/nestjs'
import { work } from './work.js'

/** Connects a microservice in the way that CONNECTED names, and says where it listens. */
@Controller()
class Echo {
  @MessagePattern('echo')
  echo(text: string): string {
    return work('handler', () => text)
  }
}

@Module({ imports: [SvcModule.forRoot()], controllers: [Echo] })
class TracedModule {}

@Module({ controllers: [Echo] })
class BareModule {}

const { CONNECTED } = process.env
const module = CONNECTED === 'hook without module' ? BareModule : TracedModule
const tcp: MicroserviceOptions = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } }
const app = await NestFactory.create(module, new ExpressAdapter(), { logger: ['error', 'warn'] })
const isHooked = CONNECTED?.startsWith('hook')
const microservice: INestMicroservice & { registerPreRequestHook?(hook: unknown): unknown } = app.connectMicroservice(
  tcp,
  isHooked ? { deferInitialization: true } : { inheritAppConfig: CONNECTED === 'inheriting' },
)
if (isHooked) microservice.registerPreRequestHook?.(svcPreRequestHook(app))
await app.init()
await app.startAllMicroservices()
console.log(
  `listening ${JSON.stringify({ tcp: (microservice.unwrap<{ address(): unknown }>().address() as AddressInfo).port })}`,
)
