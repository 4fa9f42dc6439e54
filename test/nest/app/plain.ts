import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { SvcModule } from '@svc/nestjs'
import { AuthGuard } from './auth.guard.js'
import { carrierOf, claimsOf } from './caller.js'
import { Errands, ErrandsController } from './errands.controller.js'
import { Places, PlacesController, Scoped, ScopedController } from './places.controller.js'
import { serve } from './serve.js'

const { OPTIONS = '{}' } = process.env

@Module({
  imports: [
    SvcModule.forRoot({
      user: (_request, host) => carrierOf(host).user?.id,
      session: (_request, host) => claimsOf(carrierOf(host)).session,
      ...JSON.parse(OPTIONS),
    }),
  ],
  controllers: [PlacesController, ScopedController, ErrandsController],
  providers: [Places, Scoped, Errands, { provide: APP_GUARD, useClass: AuthGuard }],
})
class PlainModule {}

await serve(PlainModule)
