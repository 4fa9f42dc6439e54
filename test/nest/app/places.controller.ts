import type { ServerResponse } from 'node:http'
import {
  type ArgumentsHost,
  Catch,
  Controller,
  createParamDecorator,
  type ExceptionFilter,
  Get,
  HttpException,
  Inject,
  Injectable,
  Param,
  type PipeTransform,
  Res,
  Scope,
  UseFilters,
  UseGuards,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { defer, from, type Observable } from 'rxjs'
import { RolesGuard } from './auth.guard.js'
import { meet } from './meeting.js'
import { sharedWork, work } from './work.js'

@Injectable()
export class Places {
  serve(): Promise<string> {
    return sharedWork('service', 'Places', 'served')
  }
}

@Injectable({ scope: Scope.REQUEST })
export class Scoped {
  constructor() {
    work('constructor', () => {})
  }

  call(): Promise<string> {
    return sharedWork('call', 'Scoped', 'called')
  }
}

@Injectable()
class WorkingPipe implements PipeTransform {
  transform(value: string): Promise<string> {
    return sharedWork('pipe', 'WorkingPipe', value)
  }
}

const Worked = createParamDecorator(() => work('param decorator', () => 'worked'))

@Catch()
class WorkingFilter implements ExceptionFilter {
  constructor(@Inject(HttpAdapterHost) private readonly adapter: HttpAdapterHost) {}

  async catch(error: Error, host: ArgumentsHost): Promise<void> {
    await sharedWork('filter', 'WorkingFilter', true)
    const status = error instanceof HttpException ? error.getStatus() : 500
    this.adapter.httpAdapter.reply(host.switchToHttp().getResponse(), { caught: error.message }, status)
  }
}

@Controller('places')
export class PlacesController {
  constructor(@Inject(Places) private readonly places: Places) {}

  @Get('handler/:id')
  handler(@Param('id', WorkingPipe) _id: string, @Worked() _worked: string): Promise<string> {
    return work('handler', () => this.places.serve())
  }

  @Get('guards')
  @UseGuards(RolesGuard)
  guards(): Promise<string> {
    return sharedWork('handler', 'guards', 'ok')
  }

  @Get('waiting')
  waiting(): Promise<string> {
    const never = sharedWork('handler', 'waiting', 'ok')
    console.log('waiting')
    return never
  }

  @Get('filter')
  @UseFilters(WorkingFilter)
  async filter(): Promise<string> {
    await sharedWork('handler', 'filter', true)
    throw new Error('the model is on strike')
  }

  @Get('observable')
  observable(): Observable<string> {
    return defer(() => {
      const subscribed = work('subscribe', () => sharedWork('emit', 'observable', 'emitted'))
      return from(subscribed)
    })
  }

  @Get('manual')
  async manual(@Res() response: ServerResponse | { hijack(): void; raw: ServerResponse }): Promise<void> {
    if ('hijack' in response) response.hijack()
    const raw = 'raw' in response ? response.raw : response
    raw.on('finish', () => work('finish', () => {}))
    raw.writeHead(200, { 'content-type': 'text/plain' }).write('first ')
    await sharedWork('write', 'manual', true)
    await meet('manual: end')
    raw.end('last')
  }
}

@Controller('scoped')
export class ScopedController {
  constructor(@Inject(Scoped) private readonly scoped: Scoped) {}

  @Get()
  scope(): Promise<string> {
    return this.scoped.call()
  }
}
