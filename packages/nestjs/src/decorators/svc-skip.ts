import { SetMetadata } from '@nestjs/common'
import { MARK } from './marks.ts'

/**
 * Leaves a handler, or all handlers of a class, alone: no root observation, no user, no session.
 *
 * @param skip `false` on a method observes it in a class that is left alone
 */
export function SvcSkip(skip = true) {
  return SetMetadata(MARK.SKIP, skip)
}
