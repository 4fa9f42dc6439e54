import 'reflect-metadata'
import type { AddressInfo } from 'node:net'
import { NestFactory } from '@nestjs/core'
import { type MicroserviceOptions, Transport } from '@nestjs/microservices'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { WsAdapter } from '@nestjs/platform-ws'
import { svcPreRequestHook } from '@svc/nestjs'
import { AppModule, SumsModule } from './app.module.js'

const { ADAPTER } = process.env
const logger = ['error', 'warn'] as const
const tcp: MicroserviceOptions = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } }

const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter()
const app = await NestFactory.create(AppModule, adapter, { logger: [...logger] })
app.useWebSocketAdapter(new WsAdapter(app))

// A hook is heard only before the microservice is initialized. Nest 11 has none: there it inherits our enhancers.
const hybrid: { registerPreRequestHook?(hook: unknown): unknown } & ReturnType<typeof app.connectMicroservice> =
  app.connectMicroservice(tcp, { inheritAppConfig: process.env.INHERIT === 'true', deferInitialization: true })
hybrid.registerPreRequestHook?.(svcPreRequestHook())

const alone = await NestFactory.createMicroservice<MicroserviceOptions>(SumsModule, { ...tcp, logger: [...logger] })

await Promise.all([app.listen(0, '127.0.0.1'), app.startAllMicroservices(), alone.listen()])
const port = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
const ports = {
  http: port(app.getHttpServer()),
  hybrid: port(hybrid.unwrap()),
  alone: port(alone.unwrap()),
}
console.log(`listening ${JSON.stringify(ports)}`)
