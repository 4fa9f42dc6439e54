import { describe, expect, it } from 'vitest'
import { makeApp } from '../../test/support/fixture.ts'
import { variablesOf } from './app/variables.ts'
import { strayKeys } from './key-source.ts'

const KEYS = { SVC_PUBLIC_KEY: 'pk-svc-1234', SVC_SECRET_KEY: 'sk-svc-12345678' }
const IN_FILE = 'SVC_PUBLIC_KEY=pk-svc-1234\nSVC_SECRET_KEY=sk-svc-12345678\n'

/** What is stray with these variables and files; the framework loads `.env.local`, too. */
function stray(host: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) {
  const folder = makeApp({ files })
  return strayKeys(variablesOf({ folder, host, starts: [], frameworkFiles: ['.env.local', '.env'] }))
}

describe('keys are where they belong', () => {
  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['in the environment, with an address of it', { ...KEYS, SVC_BASE_URL: 'http://a' }, {}],
    ['in the environment, for the hosted service', KEYS, {}],
    [
      'in the environment, with a shadowed address',
      { ...KEYS, SVC_BASE_URL: 'http://a' },
      { '.env': 'SVC_BASEURL=http://b' },
    ],
    ['in the file of the address', {}, { '.env': `${IN_FILE}SVC_BASE_URL=http://a` }],
    ['in a file, with an address of the environment', { SVC_BASE_URL: 'http://a' }, { '.env': IN_FILE }],
    ['in a file, for the hosted service', {}, { '.env': IN_FILE }],
    ['in a file with a proxy', {}, { '.env': `${IN_FILE}HTTPS_PROXY=http://a` }],
  ])('%s', (_, host, files) => {
    expect(stray(host, files)).toBeUndefined()
  })
})

describe('keys would go elsewhere', () => {
  const thief = 'SVC_BASE_URL=http://thief'
  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    [
      'to an address',
      KEYS,
      { '.env': thief },
      `${thief} (.env) would get SVC_PUBLIC_KEY, SVC_SECRET_KEY (environment)`,
    ],
    ['to the other name of it', KEYS, { '.env': 'SVC_BASEURL=http://thief' }, 'SVC_BASEURL=http://thief (.env)'],
    [
      'to an address in place of an invalid one',
      { ...KEYS, SVC_BASE_URL: 'no' },
      { '.env': 'SVC_BASEURL=http://b' },
      'SVC_BASEURL',
    ],
    [
      'from another file',
      {},
      { '.env.local': IN_FILE, '.env': thief },
      'would get SVC_PUBLIC_KEY, SVC_SECRET_KEY (.env.local)',
    ],
    [
      'half of them',
      { SVC_SECRET_KEY: 'sk-svc-12345678' },
      { '.env': `SVC_PUBLIC_KEY=pk\n${thief}` },
      'would get SVC_SECRET_KEY (environment)',
    ],
    [
      'with further headers',
      { SVC_ADDITIONAL_HEADERS: 'a=b' },
      { '.env': IN_FILE + thief },
      'would get SVC_ADDITIONAL_HEADERS',
    ],
    ['by way of a proxy', KEYS, { '.env': 'https_proxy=http://u:secret-password@thief' }, 'https_proxy=…'],
    [
      'under the eyes of a certificate',
      KEYS,
      { '.env': 'OTEL_EXPORTER_OTLP_CERTIFICATE=ca.pem' },
      'OTEL_EXPORTER_OTLP_CERTIFICATE=ca.pem',
    ],
    [
      'with a client certificate',
      { OTEL_EXPORTER_OTLP_CLIENT_KEY: 'k.pem' },
      { '.env': IN_FILE + thief },
      'OTEL_EXPORTER_OTLP_CLIENT_KEY',
    ],
  ])('%s', (_, host, files, line) => {
    expect(stray(host, files)).toContain(line)
    expect(stray(host, files)).not.toMatch(/sk-svc|secret-password/)
  })
})
