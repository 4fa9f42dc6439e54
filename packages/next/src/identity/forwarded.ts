import { APP_HEADER } from '@svc/core/attributes'
import { log, messageOf } from '@svc/core/log'
import { headers } from 'next/headers.js'
import { isControlFlow } from '../control-flow.ts'
import type { Identity } from './identity.ts'
import { unseal } from './seal.ts'

/** The identity that `svcProxy` sent along with this request. What it needs to know makes a page dynamic. */
export async function forwardedIdentity(): Promise<Identity | undefined> {
  try {
    return await unseal((await headers()).get(APP_HEADER.IDENTITY))
  } catch (error) {
    if (isControlFlow(error)) throw error
    log.debug(`there are no headers here: ${messageOf(error)}`)
    return undefined
  }
}
