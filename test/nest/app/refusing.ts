import 'reflect-metadata'
import { BadRequestException, Body, Controller, Get, Module, Post } from '@nestjs/common'
import { SvcModule } from '@svc/nestjs'
import { serve } from './serve.js'

/** Quotes what a client sends, as validators do. */
@Controller('refusing')
class RefusingController {
  @Post()
  refuse(@Body() { key }: { key: string }): void {
    throw new BadRequestException(`Unrecognized key: ${key}`)
  }

  /** The time of the processor that this process has taken so far, in milliseconds. */
  @Get('spent')
  spent(): string {
    const { user, system } = process.cpuUsage()
    return String((user + system) / 1_000)
  }
}

@Module({ imports: [SvcModule.forRoot({})], controllers: [RefusingController] })
class RefusingModule {}

await serve(RefusingModule)
