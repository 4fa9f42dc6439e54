import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common'
import { GqlExecutionContext } from '@nestjs/graphql'
import { SvcObserve } from '@svc/nestjs'
import { nameIn } from './token.js'

export interface Authorized {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  user?: { readonly name: string }
}

/** Knows the user from a signed token, for HTTP and GraphQL. It says nothing about traces: the module reads `user`. */
@Injectable()
export class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context)
    if (request.path === '/health') return true
    const [scheme, token = ''] = request.headers.authorization?.split(' ') ?? []
    const name = scheme === 'Bearer' ? this.verify(token) : undefined
    if (name === undefined) throw new UnauthorizedException()
    request.user = { name }
    return true
  }

  @SvcObserve({ asType: 'guardrail', name: 'verify-token', captureInput: false, captureOutput: false })
  verify(token: string): string | undefined {
    return nameIn(token)
  }
}

function requestOf(context: ExecutionContext): Authorized {
  return context.getType<string>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext().req
    : context.switchToHttp().getRequest()
}
