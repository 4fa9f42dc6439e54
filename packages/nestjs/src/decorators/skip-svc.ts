import { SetMetadata } from '@nestjs/common'
import { MARK } from './marks.ts'

/** Leaves a handler, or all handlers of a class, alone: no root observation, no user, no session. */
export function SkipSvc() {
  return SetMetadata(MARK.SKIP, true)
}
