import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common'
import { carrierOf, claimsOf } from './caller.js'
import { sharedWork, work } from './work.js'

/**
 * Guards everything, as APP_GUARD of the root module. Who it is it knows late: after a first piece of work has ended,
 * and in the middle of a second one.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const carrier = carrierOf(context)
    // A microservice that inherits the guards of the application runs this one twice.
    if (carrier.user) return true
    const place = `${context.getClass().name}.${context.getHandler().name}`
    await sharedWork('lookup', place, true)
    await work('guard', async () => {
      await sharedWork('verify', place, true)
      carrier.user = { id: claimsOf(carrier).user }
    })
    return true
  }
}

/** A guard of one route, which runs when the user is known. */
@Injectable()
export class RolesGuard implements CanActivate {
  canActivate(): Promise<boolean> {
    return sharedWork('roles', 'RolesGuard', true)
  }
}
