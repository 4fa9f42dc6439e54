import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf } from '../support/debian.ts'
import { type Case, DEADLINE_MS, type Expected } from './case.ts'
import type { Fault } from './fault.ts'
import { startFaultyIntake } from './intake.ts'
import { counted, NOWHERE, type Result, type Run, run, type Variant } from './run.ts'

const SPANS = 400
const make = { spans: SPANS }
const NATURAL: Run = { plan: { make, end: 'naturally' } }
const EXIT: Run = { plan: { make, end: 'process.exit' } }
const UNREACHED: Expected = { lost: SPANS, exitMs: DEADLINE_MS }
/** No program is asked for it: only a proxy knows where it is. */
const HOST = 'svc.test'

const network = (name: string, expected: Expected, work: (variant: Variant) => Promise<Result>): Case => ({
  group: 'The network',
  name,
  expected,
  run: work,
  isTimed: expected.lost !== undefined,
})

/** An intake, reached by an address and with variables of its own. */
async function reached(
  variant: Variant,
  options: Run,
  fault: Fault,
  way: (port: number) => Promise<{ url: string; env?: Record<string, string>; close?: () => void }>,
): Promise<Result> {
  const intake = await startFaultyIntake(fault)
  const { url, env, close } = await way(intake.port)
  try {
    return await counted(await run(variant, { ...intake, url }, { ...options, ...(env && { env }) }), intake)
  } finally {
    close?.()
    await intake.close()
  }
}

interface Certificate {
  readonly key: string
  readonly cert: string
  /** The file with the certificate. */
  readonly file: string
  remove(): void
}

/** A certificate for loopback and for {@link HOST}, which nobody trusts. */
async function makeCertificate(): Promise<Certificate> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = `subjectAltName=DNS:${HOST},IP:127.0.0.1`
  const what = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync(
    await programOf('openssl', 'openssl'),
    [...what, '-subj', `/CN=${HOST}`, '-addext', names, '-keyout', key, '-out', cert],
    {
      stdio: 'ignore',
    },
  )
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8'), file: cert, remove }
}

async function overTls(variant: Variant, options: Run, env: (certificate: Certificate) => Record<string, string>) {
  const certificate = await makeCertificate()
  try {
    const url = (port: number) => `https://127.0.0.1:${port}`
    return await reached(variant, options, { tls: certificate }, async (port) => ({
      url: url(port),
      env: env(certificate),
    }))
  } finally {
    certificate.remove()
  }
}

/** A proxy on loopback that knows one host, and wants a password. */
async function startProxy(port: number) {
  const credentials = `Basic ${btoa('user:p@ss')}`
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.headers['proxy-authorization'] !== credentials) {
      outgoing.writeHead(407).end()
      return
    }
    const { pathname } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    incoming.pipe(onward)
  })
  proxy.on('connect', (incoming, socket: Socket) => {
    if (incoming.headers['proxy-authorization'] !== credentials) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const each of [onward, socket]) each.on('error', () => {})
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://user:p%40ss@127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { url, close: () => proxy.close() }
}

async function byProxy(variant: Variant, options: Run, scheme: 'http' | 'https'): Promise<Result> {
  const certificate = scheme === 'https' ? await makeCertificate() : undefined
  return reached(variant, options, certificate ? { tls: certificate } : {}, async (port) => {
    const proxy = await startProxy(port)
    const env = {
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      ...(certificate && { OTEL_EXPORTER_OTLP_CERTIFICATE: certificate.file }),
    }
    return { url: `${scheme}://${HOST}:1`, env, close: proxy.close }
  }).finally(() => certificate?.remove())
}

/** A server that takes connections, and reads nothing. */
async function deaf(variant: Variant): Promise<Result> {
  const sockets: Socket[] = []
  const server = createTcpServer({ pauseOnConnect: true }, (socket) => sockets.push(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await counted(await run(variant, { ...NOWHERE, url }, EXIT), NOWHERE)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

const trusted = ({ file }: Certificate) => ({ OTEL_EXPORTER_OTLP_CERTIFICATE: file })

export const NETWORK_CASES: readonly Case[] = [
  network('the name of the endpoint does not resolve', UNREACHED, async (variant) =>
    counted(await run(variant, { ...NOWHERE, url: 'http://nowhere.invalid' }, NATURAL), NOWHERE),
  ),
  network('connections are taken, and nothing is read', { ...UNREACHED, code: 3 }, deaf),
  network('the certificate is not trusted', UNREACHED, (variant) => overTls(variant, NATURAL, () => ({}))),
  network('it is trusted by OTEL_EXPORTER_OTLP_CERTIFICATE', {}, (variant) => overTls(variant, NATURAL, trusted)),
  network('the same at process.exit()', { code: 3 }, (variant) => overTls(variant, EXIT, trusted)),
  network('HTTP_PROXY', {}, (variant) => byProxy(variant, NATURAL, 'http')),
  network('HTTP_PROXY at process.exit()', { code: 3 }, (variant) => byProxy(variant, EXIT, 'http')),
  network('HTTPS_PROXY', {}, (variant) => byProxy(variant, NATURAL, 'https')),
  network('HTTPS_PROXY at process.exit()', { code: 3 }, (variant) => byProxy(variant, EXIT, 'https')),
]
