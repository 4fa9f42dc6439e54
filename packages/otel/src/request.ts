import { HEADER, SDK_NAME } from '@svc/core/attributes'
import { textToBase64 } from '@svc/core/base64'
import type { Settings } from '@svc/core/setting'
import type { exportSettings } from '@svc/core/settings'
import { VERSION } from '@svc/core/version'

export type ExportSettings = Settings<typeof exportSettings>

/** Lower-case names: HTTP compares without case, and one spelling each means nothing is ever sent twice. */
export type Headers = Readonly<Record<string, string>>

/** Where something goes and with which headers. */
export interface Target {
  readonly url: string
  readonly headers: Headers
}

/** Where spans go (contract 1.2); undefined when no usable base URL was given. */
export function traceTarget(settings: ExportSettings): Target | undefined {
  if (settings.baseUrl === undefined) return undefined
  return {
    url: `${settings.baseUrl}/api/public/otel/v1/traces`,
    headers: withAdditional(settings, {
      ...authorization(settings),
      [HEADER.SDK_NAME]: SDK_NAME,
      [HEADER.SDK_VERSION]: VERSION,
      [HEADER.PUBLIC_KEY]: settings.publicKey ?? '<missing>',
      [HEADER.INGESTION_VERSION]: String(settings.ingestionVersion),
      // Of the body, so not for `additionalHeaders` to change: see OURS.
      'content-type': 'application/x-protobuf',
    }),
  }
}

/** The REST API that media uploads talk to. Same host and keys, never the ingestion version (contract 1.2). */
export function mediaTarget(settings: ExportSettings): Target | undefined {
  if (settings.baseUrl === undefined) return undefined
  const headers = withAdditional(settings, {
    ...authorization(settings),
    [HEADER.SDK_NAME]: SDK_NAME,
    [HEADER.SDK_VERSION]: VERSION,
    [HEADER.PUBLIC_KEY]: settings.publicKey ?? '<missing>',
    'content-type': 'application/json',
  })
  const { [HEADER.INGESTION_VERSION]: _, ...rest } = headers
  return { url: `${settings.baseUrl}/api/public/media`, headers: rest }
}

// Headers that describe the bytes we write; overriding them could only make the request wrong.
const OURS = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding'])

function withAdditional(settings: ExportSettings, defaults: Headers): Headers {
  const headers: Record<string, string> = { ...defaults }
  for (const [name, value] of Object.entries(settings.additionalHeaders)) {
    const lower = name.toLowerCase()
    if (!OURS.has(lower)) headers[lower] = value
  }
  return headers
}

function authorization({ publicKey, secretKey }: ExportSettings): Headers {
  if (publicKey === undefined || secretKey === undefined) return {}
  return { [HEADER.AUTHORIZATION]: `Basic ${textToBase64(`${publicKey}:${secretKey}`)}` }
}
