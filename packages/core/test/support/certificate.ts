import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A key and its certificate (PEM), which is its own authority. */
export interface Certificate {
  readonly key: string
  readonly cert: string
  /** Where the certificate is until the tests of the file are done. */
  readonly certFile: string
}

// A program of the machine, and none that this package depends on.
const OPENSSL = 'openssl'

/** Made by the `openssl` of this machine: Node has no way to sign a certificate. For the top of a file of tests. */
export function makeCertificate(...names: string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const keyFile = join(folder, 'key.pem')
  const certFile = join(folder, 'cert.pem')
  execFileSync(
    OPENSSL,
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ...['-subj', '/CN=svc test', '-addext', `subjectAltName=${names.join(',')}`],
      ...['-keyout', keyFile, '-out', certFile],
    ],
    { stdio: 'pipe' },
  )
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile }
}
