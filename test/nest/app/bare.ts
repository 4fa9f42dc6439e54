import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { AuthGuard } from './auth.guard.js'
import { Places, PlacesController } from './places.controller.js'
import { serve } from './serve.js'

/** What plain.ts is without us. */
@Module({ controllers: [PlacesController], providers: [Places, { provide: APP_GUARD, useClass: AuthGuard }] })
class BareModule {}

await serve(BareModule)
