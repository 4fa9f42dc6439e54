import { Controller, UseGuards } from '@nestjs/common'
import { MessagePattern, Payload, RpcException } from '@nestjs/microservices'
import { AuthGuard } from './auth.guard.js'
import { sharedWork } from './work.js'

/** Guarded here, too: a hybrid application's messages do not pass its APP_GUARD. */
@Controller()
@UseGuards(AuthGuard)
export class SumsController {
  @MessagePattern('product')
  async product(): Promise<number> {
    await sharedWork('handler', 'product', true)
    throw new RpcException('that is too much')
  }

  @MessagePattern('sum')
  async sum(@Payload() { numbers }: { readonly numbers: readonly number[] }): Promise<number> {
    return sharedWork(
      'handler',
      'sum',
      numbers.reduce((sum, each) => sum + each, 0),
    )
  }
}
