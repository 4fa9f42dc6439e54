import { ApolloDriver } from '@nestjs/apollo'
import { BullModule } from '@nestjs/bullmq'
import { type ArgumentsHost, Module, type ModuleMetadata } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { CqrsModule } from '@nestjs/cqrs'
import { EventEmitterModule } from '@nestjs/event-emitter'
import { GraphQLModule } from '@nestjs/graphql'
import { MercuriusDriver } from '@nestjs/mercurius'
import { ScheduleModule } from '@nestjs/schedule'
import { SvcModule, type SvcModuleOptions } from '@svc/nestjs'
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

const { ADAPTER, REDIS_SOCKET = '' } = process.env

/** Says at once what is known: the session from the beginning, the user when the guard has passed. */
const RESOLVERS = {
  apart: {
    user: (_request: unknown, host: ArgumentsHost) => carrierOf(host).user?.id,
    session: (_request: unknown, host: ArgumentsHost) => claimsOf(carrierOf(host)).session,
  },
  together: {
    context: (_request: unknown, host: ArgumentsHost) => {
      const carrier = carrierOf(host)
      return { sessionId: claimsOf(carrier).session, ...(carrier.user ? { userId: carrier.user.id } : {}) }
    },
  },
  later: {
    context: async (_request: unknown, host: ArgumentsHost) => {
      const carrier = carrierOf(host)
      const { user } = carrier
      await Promise.resolve()
      return { sessionId: claimsOf(carrier).session, ...(user ? { userId: user.id } : {}) }
    },
  },
} as const satisfies Record<string, SvcModuleOptions>

const svc = SvcModule.forRootAsync({
  useFactory: async () => RESOLVERS[(process.env.RESOLVERS ?? 'apart') as keyof typeof RESOLVERS],
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
    BullModule.forRoot({ connection: { path: REDIS_SOCKET } }),
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
