import { SvcAPIError } from '@svc/client/api'
import { foreignText } from '@svc/core/foreign-text'
import { messageOf } from '@svc/core/log'
import { Failure } from '../failure.ts'

/** The address of the service, and the key, for messages. */
export interface ServiceAddress {
  readonly baseUrl: string
  readonly publicKey: string | undefined
}

/**
 * Returns a Failure for an error of the service, with what to do; also for one about an answer of a wrong form.
 *
 * @param asked what the service was asked for, in the singular
 */
export function explained(error: unknown, { baseUrl, publicKey }: ServiceAddress, asked = 'prompt'): unknown {
  if (error instanceof Failure) return error
  const { host } = new URL(baseUrl)
  if (!(error instanceof SvcAPIError))
    return new Failure(`${host} answers with what is no ${asked}: ${messageOf(error)}`)
  const { statusCode, message } = error
  const reason = foreignText(message)
  if (statusCode === undefined) return new Failure(`${reason}: check SVC_BASE_URL and the network`)
  if (statusCode === 401) {
    const key = publicKey ? ` (public key …${publicKey.slice(-4)})` : ''
    const regions = 'keys belong to one project of one region'
    return new Failure(
      `${host} refuses the keys${key}: check SVC_PUBLIC_KEY, SVC_SECRET_KEY, and SVC_BASE_URL: ${regions}`,
    )
  }
  if (statusCode === 403) return new Failure(`${host} does not allow these keys to access ${asked}s: ${reason}`)
  if (statusCode < 300 || statusCode === 404 || statusCode === 405) {
    return new Failure(
      `${baseUrl} has no ${asked}s API: check SVC_BASE_URL; a self-hosted service may be too old (${reason})`,
    )
  }
  return new Failure(reason)
}
