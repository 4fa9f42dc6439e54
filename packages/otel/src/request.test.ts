import { environmentOf } from '@svc/core/environment'
import { missingKeys } from '@svc/core/keys'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'
import { VERSION } from '@svc/core/version'
import { describe, expect, it } from 'vitest'
import { PROTOBUF } from './export/protobuf.ts'
import { type ExportSettings, mediaTarget, traceTarget } from './request.ts'

const settingsOf = (options: Record<string, unknown>, variables: Record<string, string> = {}): ExportSettings =>
  readSettings(exportSettings, options, environmentOf(variables), () => {})

const KEYS = { publicKey: 'pk', secretKey: 'sk-ü' }

describe('the OTLP endpoint', () => {
  it.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/public/otel/v1/traces'],
    ['http://127.0.0.1:3000///', 'http://127.0.0.1:3000/api/public/otel/v1/traces'],
    ['https://host/svc/', 'https://host/svc/api/public/otel/v1/traces'],
  ])('for %s is %s', (baseUrl, url) => {
    expect(traceTarget(settingsOf({ ...KEYS, baseUrl }), PROTOBUF.contentType)?.url).toBe(url)
  })

  it('receives Basic auth of both keys in UTF-8, the SDK and the ingestion version', () => {
    expect(traceTarget(settingsOf(KEYS), PROTOBUF.contentType)?.headers).toEqual({
      authorization: `Basic ${Buffer.from('pk:sk-ü').toString('base64')}`,
      'x-svc-sdk-name': 'javascript',
      'x-svc-sdk-version': VERSION,
      'x-svc-public-key': 'pk',
      'x-svc-ingestion-version': '4',
      'content-type': 'application/x-protobuf',
    })
  })

  it('SVC_INGESTION_VERSION=3 opts out of real-time processing', () => {
    const target = traceTarget(settingsOf(KEYS, { SVC_INGESTION_VERSION: '3' }), PROTOBUF.contentType)
    expect(target?.headers['x-svc-ingestion-version']).toBe('3')
  })

  it('receives additional headers in place of the default ones, in any case, once each', () => {
    const additionalHeaders = { 'X-Svc-Ingestion-Version': '3', AUTHORIZATION: 'Bearer x', 'X-Team': 'a' }
    const headers = traceTarget(settingsOf({ ...KEYS, additionalHeaders }), PROTOBUF.contentType)?.headers
    expect(headers).toMatchObject({ 'x-svc-ingestion-version': '3', authorization: 'Bearer x', 'x-team': 'a' })
    expect(Object.keys(headers ?? {}).every((name) => name === name.toLowerCase())).toBe(true)
  })

  it('receives no additional headers that describe the body', () => {
    const additionalHeaders = { 'Content-Type': 'text/plain', 'content-length': '1' }
    const headers = traceTarget(settingsOf({ ...KEYS, additionalHeaders }), PROTOBUF.contentType)?.headers
    expect(headers?.['content-type']).toBe('application/x-protobuf')
    expect(headers).not.toHaveProperty('content-length')
  })

  it('is undefined for an invalid base URL', () => {
    const settings = settingsOf({ ...KEYS, baseUrl: 'not a url' })
    expect(traceTarget(settings, PROTOBUF.contentType)).toBeUndefined()
    expect(mediaTarget(settings)).toBeUndefined()
  })

  it('receives media requests with keys and additional headers, without the ingestion version', () => {
    const additionalHeaders = { 'X-Svc-Ingestion-Version': '3', 'X-Team': 'a' }
    const target = mediaTarget(settingsOf({ ...KEYS, baseUrl: 'http://h', additionalHeaders }))
    expect(target?.url).toBe('http://h/api/public/media')
    expect(target?.headers).toMatchObject({ 'x-team': 'a', 'content-type': 'application/json' })
    expect(target?.headers).toHaveProperty('authorization')
    expect(target?.headers).not.toHaveProperty('x-svc-ingestion-version')
  })
})

describe('missingKeys', () => {
  it.each<[options: Record<string, unknown>, missing: string[]]>([
    [KEYS, []],
    [{ publicKey: 'pk' }, ['SVC_SECRET_KEY']],
    [{ secretKey: 'sk' }, ['SVC_PUBLIC_KEY']],
    [{}, ['SVC_PUBLIC_KEY', 'SVC_SECRET_KEY']],
    [{ additionalHeaders: { Authorization: 'Bearer x' } }, []],
  ])('%j: %j', (options, missing) => {
    expect(missingKeys(settingsOf(options))).toEqual(missing)
  })
})
