import { APP_HEADER } from '@svc/core/attributes/constants'
import { log, messageOf } from '@svc/core/log'
import { headers } from 'next/headers.js'
import { unseal } from '#implementation'
import { mayReadHeaders } from '#render'
import { isControlFlow } from '../control-flow.ts'
import type { Forwarded } from './seal.ts'

/**
 * Returns what `svcProxy` sent along with this request. Reading it makes a page dynamic, so it is not read where a page
 * must stay static.
 */
export async function forwardedHere(): Promise<Forwarded | undefined> {
  if (!mayReadHeaders()) return undefined
  try {
    return await unseal((await headers()).get(APP_HEADER.IDENTITY))
  } catch (error) {
    if (isControlFlow(error)) throw error
    log.debug(`there are no headers here: ${messageOf(error)}`)
    return undefined
  }
}
