import { Controller, Get } from '@nestjs/common'
import { SvcService } from '@svc/nestjs'
import { AppService } from './app.service.js'

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

  @Get('ask')
  ask(): Promise<string | null> {
    return this.appService.ask('Who was Ada?')
  }
}
