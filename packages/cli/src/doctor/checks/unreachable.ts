import { foreignText } from '@svc/core/foreign-text'
import { NoResponseError } from '@svc/core/http-exchange'
import { messageIn } from '@svc/core/log'
import { own } from '@svc/core/own'
import type { Finding } from '../finding.ts'

interface Reason {
  readonly id: string
  readonly means: string
  readonly remedy: string
}

const DNS: Reason = {
  id: 'service-dns',
  means: 'The host name cannot be resolved.',
  remedy: 'Check the spelling in SVC_BASE_URL, and the network (VPN, DNS of the container).',
}
const CONNECTION: Reason = {
  id: 'service-connection',
  means: 'Nothing listens there, or a firewall blocks the connection.',
  remedy: 'Check the port in SVC_BASE_URL. In a container, localhost is the container itself.',
}
const CERTIFICATE: Reason = {
  id: 'service-tls',
  means: 'Node does not trust the certificate of the service.',
  remedy: 'Set OTEL_EXPORTER_OTLP_CERTIFICATE (or NODE_EXTRA_CA_CERTS) to the file of your certificate authority.',
}
const NO_TLS: Reason = {
  id: 'service-tls',
  means: 'The server does not use TLS on this port, or an unsupported version.',
  remedy: 'Check whether SVC_BASE_URL begins with http:// or https://, and its port.',
}

const REASONS: Readonly<Record<string, Reason>> = {
  ENOTFOUND: DNS,
  EAI_AGAIN: DNS,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  CERT_HAS_EXPIRED: { ...CERTIFICATE, means: 'The certificate of the service has expired.', remedy: 'Renew it.' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...CERTIFICATE,
    means: 'The certificate is for another host.',
    remedy: 'Use the host that the certificate names in SVC_BASE_URL.',
  },
}

/** Returns a finding for a request without a response. */
export function whyUnreachable(error: unknown, baseUrl: string, proxy: string | undefined): Finding {
  const { host } = new URL(baseUrl)
  // Node repeats the address in the message, which may contain the password of a proxy.
  const message = foreignText(messageIn(error) ?? codeOf(error))
  const by = proxy ? ` by way of the proxy ${proxy}` : ''
  const { id, means, remedy } = findReason(error, proxy)
  return { id, severity: 'error', seen: `${host} cannot be reached${by}: ${message}`, means, remedy }
}

function findReason(error: unknown, proxy: string | undefined): Reason {
  if (error instanceof NoResponseError) {
    return {
      id: 'service-slow',
      means: 'A firewall drops packets, or the service is busy.',
      remedy: 'Check network rules, or increase SVC_TIMEOUT.',
    }
  }
  const known = own(REASONS, codeOf(error))
  if (known?.id === 'service-tls' || proxy === undefined) return known ?? CONNECTION
  return {
    id: 'service-proxy',
    means: 'The proxy of HTTP_PROXY or HTTPS_PROXY cannot be reached, or rejects the request.',
    remedy: 'Check the proxy, or add the host of the service to NO_PROXY.',
  }
}

/** Returns the code of an error; of several connection attempts, that of the first. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  return errors?.length ? codeOf(errors[0]) : ''
}
