import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import type { INestMicroservice } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { type MicroserviceOptions, Transport } from '@nestjs/microservices'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { WsAdapter } from '@nestjs/platform-ws'
import { svcPreRequestHook } from '@svc/nestjs'
import { AppModule, SumsModule } from './app.module.js'

/** Nest 11 has no hooks before the guards of a message. */
type Microservice = INestMicroservice & { registerPreRequestHook?(hook: unknown): unknown }

const adapter = () => (process.env.ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter())
const tcp: MicroserviceOptions = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } }
const options = { logger: ['error' as const, 'warn' as const] }

const app = await NestFactory.create(AppModule, adapter(), options)
app.useWebSocketAdapter(new WsAdapter(app))
const inheriting: Microservice = app.connectMicroservice(tcp, { inheritAppConfig: true })

// A hook is heard only until the microservice is initialized.
const hybrid = await NestFactory.create(SumsModule, adapter(), options)
const hooked: Microservice = hybrid.connectMicroservice(tcp, { deferInitialization: true })
hooked.registerPreRequestHook?.(svcPreRequestHook(hybrid))

const alone: Microservice = await NestFactory.createMicroservice(SumsModule, { ...tcp, ...options })
alone.registerPreRequestHook?.(svcPreRequestHook(alone))

await Promise.all([app.listen(0, '127.0.0.1'), app.startAllMicroservices(), alone.listen()])
await hybrid.init()
await hybrid.startAllMicroservices()

const port = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
const ports = {
  http: port(app.getHttpServer()),
  inheriting: port(inheriting.unwrap()),
  hooked: port(hooked.unwrap()),
  alone: port(alone.unwrap()),
}
console.log(`listening ${JSON.stringify(ports)}`)
