import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeCertificate } from '../../packages/core/test/support/certificate.ts'
import { type ProxyOptions, startProxy } from '../../packages/core/test/support/proxy.ts'

/** Only a proxy knows where this host is: no name server does. */
export const HOST = 'svc.test'

/** A proxy for one test. */
export async function useProxy(options: ProxyOptions) {
  const proxy = await startProxy(options)
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  return proxy
}

/** A key and its certificate for {@link HOST} and for loopback, which nobody trusts. For the top of a file of tests. */
export function makeServiceCertificate() {
  const certificate = makeCertificate(`DNS:${HOST}`, 'IP:127.0.0.1')
  return { ...certificate, keyFile: join(dirname(certificate.certFile), 'key.pem') }
}
