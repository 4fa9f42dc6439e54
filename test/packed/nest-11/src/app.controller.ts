import { Controller, Get } from '@nestjs/common'
import { SvcService } from '@svc/nestjs'
import { AppService } from './app.service'

@Controller()
export class AppController {
  constructor(
    private readonly appService: AppService,
    private readonly svc: SvcService,
  ) {}

  @Get()
  getHello(): string {
    this.svc.identify({ userId: 7 })
    return this.appService.getHello()
  }
}
