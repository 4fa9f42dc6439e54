import type { AddressInfo } from 'node:net'
import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module'

async function start() {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
  await app.listen(0, '127.0.0.1')
  console.log(`listening ${(app.getHttpServer().address() as AddressInfo).port}`)
}
void start()
