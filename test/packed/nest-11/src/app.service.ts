import { Injectable } from '@nestjs/common'
import { Observe } from '@svc/nestjs'

@Injectable()
export class AppService {
  @Observe({ captureOutput: true })
  getHello(): string {
    return 'Hello World!'
  }
}
