import 'reflect-metadata'
import { type CallHandler, type ExecutionContext, Module } from '@nestjs/common'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { SvcInterceptor, SvcModule } from '@svc/nestjs'
import { SvcTesting, SvcTestingModule } from '@svc/nestjs/testing'
import { Places, PlacesController } from './places.controller.js'

/** An application that imports SvcModule itself, as it does outside of tests. */
@Module({
  imports: [SvcModule.forRoot({ user: (request) => request.headers['x-user'] })],
  controllers: [PlacesController],
  providers: [Places],
})
class ShopModule {}

const builder = () => Test.createTestingModule({ imports: [SvcTestingModule.forRoot(), ShopModule] })

/** Asks once, and says what the test sees. */
async function spansOf(module: Awaited<ReturnType<ReturnType<typeof builder>['compile']>>): Promise<object[]> {
  const fastify = process.env.ADAPTER === 'fastify'
  const app = module.createNestApplication(fastify ? new FastifyAdapter() : new ExpressAdapter())
  const svc = module.get(SvcTesting)
  const headers = { 'x-user': 'ada' }
  if (fastify) {
    await app.init()
    await (app as NestFastifyApplication).inject({ url: '/places/guards', headers })
  } else {
    await app.listen(0, '127.0.0.1')
    await (await fetch(`${await app.getUrl()}/places/guards`, { headers })).text()
  }
  const spans = await svc.spans()
  await app.close()
  const names = new Map(spans.map(({ id, name }) => [id, name]))
  return spans.map(({ name, userId, parentId }) => ({ name, userId, parent: names.get(parentId ?? '') }))
}

const plain = await spansOf(await builder().compile())

const intercepted: string[] = []
const intercept = (host: ExecutionContext, next: CallHandler) => {
  intercepted.push(host.getHandler().name)
  return next.handle()
}
const overridden = await spansOf(await builder().overrideProvider(SvcInterceptor).useValue({ intercept }).compile())

console.log(JSON.stringify({ plain, overridden, intercepted }))
