import type { ArgumentsHost } from '@nestjs/common'

/** Whatever carries a request into the application: an HTTP request, a WebSocket, the data of a message. */
export interface Carrier {
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
  /** What the caller says. Nobody may believe it before the guard has looked. */
  readonly claims?: Claims
  /** Written by the guard. */
  user?: { readonly id: string }
}

export interface Claims {
  readonly user: string
  readonly session: string
}

export function carrierOf(host: ArgumentsHost): Carrier {
  switch (host.getType<'http' | 'ws' | 'rpc' | 'graphql'>()) {
    case 'ws':
      return host.switchToWs().getClient()
    case 'rpc':
      return host.switchToRpc().getData()
    case 'graphql': {
      const { req, reply } = host.getArgByIndex(2)
      return req ?? reply.request
    }
    default:
      return host.switchToHttp().getRequest()
  }
}

export function claimsOf({ headers, claims }: Carrier): Claims {
  return claims ?? { user: String(headers?.['x-user']), session: String(headers?.['x-session']) }
}
