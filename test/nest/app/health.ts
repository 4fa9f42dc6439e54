import 'reflect-metadata'
import { Controller, Get, Inject, Module } from '@nestjs/common'
import { HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { SkipSvc, SvcModule } from '@svc/nestjs'
import { SvcHealthIndicator } from '@svc/nestjs/terminus'
import { Places, PlacesController } from './places.controller.js'
import { serve } from './serve.js'

@Controller('health')
@SkipSvc()
class HealthController {
  constructor(
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(SvcHealthIndicator) private readonly svc: SvcHealthIndicator,
  ) {}

  @Get()
  check() {
    return this.health.check([() => this.svc.isHealthy()])
  }
}

@Module({
  imports: [SvcModule.forRoot(), TerminusModule],
  controllers: [HealthController, PlacesController],
  providers: [Places, SvcHealthIndicator],
})
class HealthModule {}

await serve(HealthModule)
