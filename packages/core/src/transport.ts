import { builtin } from './builtin.ts'
import type { Environment } from './environment.ts'
import { messageOf, warnOnce } from './log.ts'
import { answeringProxy, type ProxySettings } from './proxy.ts'
import { readSettings } from './setting.ts'
import { networkSettings, rejectUnauthorized } from './settings.ts'

/** Proxy and certificates of requests. Plain data, so that it can be passed to a worker. */
export interface Transport {
  readonly proxy: ProxySettings
  /** Host and port of the proxy that may answer in place of the service. */
  readonly answering?: string | undefined
  /** Certificates (PEM) for the service only: other hosts (media storages) have their own. */
  readonly tls: TlsOptions | undefined
  /** False if `NODE_TLS_REJECT_UNAUTHORIZED=0` makes Node accept any certificate. */
  readonly rejectUnauthorized: boolean
}

export interface TlsOptions {
  /** The origin they are for, for example `https://svc.example.com`. */
  readonly origin: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** No proxy, and the certificates that Node trusts. */
export const DIRECT: Transport = {
  proxy: { httpProxy: undefined, httpsProxy: undefined, noProxy: [] },
  tls: undefined,
  rejectUnauthorized: true,
}

/**
 * Returns the transport to the service at `baseUrl` that the environment configures. Reports files that cannot be read.
 */
export function transportOf(baseUrl: string | undefined, env: Environment, report = warnOnce): Transport {
  const { httpProxy, httpsProxy, noProxy, ...files } = readSettings(networkSettings, {}, env, report)
  const read = (name: keyof typeof files) => pem(files[name], networkSettings[name].env.find(env), report)
  const ca = read('certificate')
  const cert = read('clientCertificate')
  const key = read('clientKey')
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  const hasTls = baseUrl !== undefined && Object.keys(tls).length > 0
  const proxy = { httpProxy, httpsProxy, noProxy }
  return {
    proxy,
    answering: baseUrl && answeringProxy(new URL(baseUrl), proxy),
    rejectUnauthorized: readSettings({ rejectUnauthorized }, {}, env, () => {}).rejectUnauthorized,
    tls: hasTls ? { origin: new URL(baseUrl).origin, ...tls } : undefined,
  }
}

/** Returns the certificates for an address; undefined for any other host than the service. */
export function tlsFor(address: URL, { tls }: Transport): Omit<TlsOptions, 'origin'> | undefined {
  if (tls?.origin !== address.origin) return undefined
  const { origin: _, ...options } = tls
  return options
}

/** Bytes of a file of certificates. */
const LONGEST = 16 * 1_048_576

function pem(path: string | undefined, variable: string | undefined, report: (line: string) => void) {
  if (path === undefined) return undefined
  try {
    const fs = builtin('node:fs')
    const stats = fs?.statSync(path)
    // The .env of a folder that svc doctor looks at may name a device, which never ends, or a pipe.
    if (stats && (!stats.isFile() || stats.size > LONGEST)) throw new Error('it is no regular file of up to 16 MiB')
    return fs?.readFileSync(path, 'utf8')
  } catch (error) {
    report(`${variable}: the file ${JSON.stringify(path)} cannot be read, so it is ignored: ${messageOf(error)}`)
    return undefined
  }
}
