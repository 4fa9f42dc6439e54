import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { SvcModule } from '@svc/nestjs'
import { Places, PlacesController } from './places.controller.js'
import { serve } from './serve.js'

/** Nobody says who a request is for. */
@Module({
  imports: [SvcModule.forRoot(JSON.parse(process.env.OPTIONS ?? '{}'))],
  controllers: [PlacesController],
  providers: [Places],
})
class UnclaimedModule {}

await serve(UnclaimedModule)
