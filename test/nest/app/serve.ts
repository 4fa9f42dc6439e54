import type { AddressInfo } from 'node:net'
import type { INestApplication, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'

const { ADAPTER, HOOKS } = process.env

/** Starts an application that is nothing but HTTP, and says where it listens. */
export async function serve(module: Type, prepare: (app: INestApplication) => void = () => {}): Promise<void> {
  const adapter = ADAPTER === 'fastify' ? new FastifyAdapter() : new ExpressAdapter()
  const app = await NestFactory.create(module, adapter, { logger: ['error', 'warn'] })
  prepare(app)
  if (HOOKS === 'true') app.enableShutdownHooks()
  await app.listen(0, '127.0.0.1')
  console.log(`listening ${JSON.stringify({ http: (app.getHttpServer().address() as AddressInfo).port })}`)
}
