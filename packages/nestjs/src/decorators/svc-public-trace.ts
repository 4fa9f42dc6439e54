import { SetMetadata } from '@nestjs/common'
import { MARK } from './marks.ts'

/**
 * Lets everyone with the link see the traces of a handler, or of all handlers of a class. A trace cannot be made
 * private again.
 */
export function SvcPublicTrace() {
  return SetMetadata(MARK.PUBLIC, true)
}
