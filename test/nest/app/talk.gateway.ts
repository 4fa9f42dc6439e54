import type { IncomingMessage } from 'node:http'
import { Inject, UseGuards } from '@nestjs/common'
import { type OnGatewayConnection, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets'
import { Observe, SvcService } from '@svc/nestjs'
import { AuthGuard } from './auth.guard.js'
import type { Carrier, Claims } from './caller.js'
import { sharedWork } from './work.js'

/** Guarded here, too: global guards of Nest 11 do not reach gateways. */
@UseGuards(AuthGuard)
@WebSocketGateway()
export class TalkGateway implements OnGatewayConnection {
  constructor(@Inject(SvcService) private readonly svc: SvcService) {}

  @Observe({ name: 'connection', root: true })
  async handleConnection(client: Carrier & { claims: Claims }, request: IncomingMessage): Promise<void> {
    const params = new URL(request.url ?? '', 'ws://here').searchParams
    client.claims = { user: String(params.get('user')), session: String(params.get('session')) }
    const { user: userId, session: sessionId } = client.claims
    await this.svc.propagate({ userId, sessionId }, () => sharedWork('greet', 'connection', true))
  }

  @SubscribeMessage('ask')
  async ask(): Promise<{ event: string; data: string }> {
    return { event: 'answer', data: await sharedWork('handler', 'ask', 'purr') }
  }
}
