import { propagation } from '@opentelemetry/api'
import { context } from '@svc/core/api'
import { attempt } from '@svc/core/attempt'

/** The part of a message that we use, as Nest's clients pass it. */
interface Packet {
  readonly metadata?: object | undefined
}

/**
 * For clients of Nest's microservices: sends the trace context, and the baggage that the application has set, as
 * metadata of each message. Give it to clients of services of your own.
 *
 * @example
 * ClientsModule.register([
 *   { name: 'ORDERS', transport: Transport.TCP, options: { host: 'orders', port: 4000, serializer: new SvcSerializer() } },
 * ])
 */
export class SvcSerializer {
  serialize<Value>(packet: Value): Value {
    return attempt('propagate a trace', () => withTrace(packet)) ?? packet
  }
}

function withTrace<Value>(packet: Value): Value {
  if (typeof packet !== 'object' || packet === null) return packet
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  if (Object.keys(carrier).length === 0) return packet
  return { ...packet, metadata: { ...(packet as Packet).metadata, ...carrier } }
}
