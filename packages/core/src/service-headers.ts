import { SDK_NAME } from './attributes/constants.ts'
import * as HEADER from './attributes/headers.ts'
import { textToBase64 } from './base64.ts'
import { keepSecret } from './keep-secret.ts'
import type { Settings } from './setting.ts'
import type { exportSettings } from './settings.ts'
import { VERSION } from './version.ts'

/** HTTP headers with lower-case names, so that none is sent twice in different case. */
export type Headers = Readonly<Record<string, string>>

// Headers that describe the body; users cannot override them.
const OURS = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding'])

/**
 * Returns the headers of every request to the service: SDK and project.
 *
 * @param own further headers; `additionalHeaders` override all but those that describe the body
 */
export function serviceHeaders(
  settings: Pick<Settings<typeof exportSettings>, 'publicKey' | 'secretKey' | 'additionalHeaders'>,
  own: Headers = {},
): Headers {
  const headers: Record<string, string> = {
    ...authorization(settings.publicKey, settings.secretKey),
    [HEADER.SDK_NAME]: SDK_NAME,
    [HEADER.SDK_VERSION]: VERSION,
    [HEADER.PUBLIC_KEY]: settings.publicKey ?? '<missing>',
    ...own,
  }
  for (const [name, value] of Object.entries(settings.additionalHeaders)) {
    const lower = name.toLowerCase()
    if (!OURS.has(lower)) headers[lower] = value
  }
  return headers
}

/** Returns the header with the keys; none if one is missing. */
export function authorization(publicKey: string | undefined, secretKey: string | undefined): Headers {
  if (publicKey === undefined || secretKey === undefined) return {}
  const keys = `${publicKey}:${secretKey}`
  keepSecret(keys)
  return { [HEADER.AUTHORIZATION]: `Basic ${textToBase64(keys)}` }
}
