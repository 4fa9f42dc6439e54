import { ApolloDriver } from '@nestjs/apollo'
import { BullModule } from '@nestjs/bullmq'
import { Module, type ModuleMetadata } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { CqrsModule } from '@nestjs/cqrs'
import { EventEmitterModule } from '@nestjs/event-emitter'
import { GraphQLModule } from '@nestjs/graphql'
import { MercuriusDriver } from '@nestjs/mercurius'
import { ScheduleModule } from '@nestjs/schedule'
import { SvcModule } from '@svc/nestjs'
import { AuthGuard } from './auth.guard.js'
import { carrierOf, claimsOf } from './caller.js'
import { CatsResolver } from './cats.resolver.js'
import { Bell, BellController, Clock, ClockController } from './clock.js'
import { MailController, MailProcessor } from './mail.js'
import { OrderPlacedHandler, OrdersController, PlaceOrderHandler } from './orders.js'
import { Places, PlacesController, Scoped, ScopedController } from './places.controller.js'
import { StreamsController } from './streams.controller.js'
import { SumsController } from './sums.controller.js'
import { TalkGateway } from './talk.gateway.js'

const { ADAPTER, REDIS_PORT } = process.env

export const svc = SvcModule.forRoot({
  user: (_request, host) => carrierOf(host).user?.id,
  session: (_request, host) => claimsOf(carrierOf(host)).session,
})

/** Module, and guard of the root module, of the HTTP application and of the microservice that stands alone. */
const guarded = {
  imports: [svc],
  providers: [{ provide: APP_GUARD, useClass: AuthGuard }],
} satisfies ModuleMetadata

@Module({
  ...guarded,
  imports: [
    ...guarded.imports,
    GraphQLModule.forRoot({
      driver: ADAPTER === 'fastify' ? MercuriusDriver : ApolloDriver,
      autoSchemaFile: true,
    }),
    CqrsModule.forRoot(),
    EventEmitterModule.forRoot(),
    ScheduleModule.forRoot(),
    BullModule.forRoot({ connection: { host: '127.0.0.1', port: Number(REDIS_PORT) } }),
    BullModule.registerQueue({ name: 'mail' }),
  ],
  controllers: [
    ...[PlacesController, ScopedController, StreamsController, OrdersController],
    ...[MailController, ClockController, BellController, SumsController],
  ],
  providers: [
    ...guarded.providers,
    ...[Places, Scoped, CatsResolver, TalkGateway, PlaceOrderHandler, OrderPlacedHandler],
    ...[MailProcessor, Clock, Bell],
  ],
})
export class AppModule {}

@Module({ ...guarded, controllers: [SumsController] })
export class SumsModule {}
