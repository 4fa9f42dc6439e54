import { describe, expect, it } from 'vitest'
import { type ProxySettings, proxyAuthorization, proxyFor } from './proxy.ts'

const HTTP = 'http://http-proxy:3128/'
const HTTPS = 'http://https-proxy:3128/'
const both = (...noProxy: string[]): ProxySettings => ({ httpProxy: HTTP, httpsProxy: HTTPS, noProxy })
const way = (address: string, settings: ProxySettings) => proxyFor(new URL(address), settings)?.href

describe('the proxy for an address', () => {
  it.each<[address: string, settings: Partial<ProxySettings>, proxy: string | undefined]>([
    ['http://svc.test/', {}, HTTP],
    ['https://svc.test/', {}, HTTPS],
    ['http://svc.test/', { httpProxy: undefined }, undefined],
    ['https://svc.test/', { httpsProxy: undefined }, undefined],
    ['http://svc.test/', { httpProxy: 'https://u:p@other:1/' }, 'https://u:p@other:1/'],
  ])('is that of the scheme: %s with %j uses %s', (address, settings, proxy) => {
    expect(way(address, { ...both(), ...settings })).toBe(proxy)
  })

  it.each([
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'https://localhost/',
    'http://127.0.0.1:3000/',
    'http://127.8.9.10/',
    // What the URL makes of it is 127.0.0.1.
    'http://127.1/',
    'http://[::1]:3000/',
    'https://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost./',
    'http://a.localhost/',
  ])('is undefined for loopback: %s', (address) => {
    expect(way(address, both())).toBeUndefined()
  })

  it.each([
    'http://localhost.example.com/',
    'http://alocalhost/',
    'http://127.0.0.1.example.com/',
    'http://128.0.0.1/',
    'http://[::2]/',
  ])('is used if a name only begins like loopback: %s', (address) => {
    expect(way(address, both())).toBe(HTTP)
  })

  it.each<[noProxy: string, address: string, isProxied: boolean]>([
    ['svc.test', 'http://svc.test/', false],
    ['svc.test', 'http://a.svc.test/', false],
    ['svc.test', 'http://a.b.svc.test:8080/', false],
    ['svc.test', 'http://othersvc.test/', true],
    ['svc.test', 'http://svc.test.example/', true],
    ['svc.test', 'http://test/', true],
    ['.svc.test', 'http://a.svc.test/', false],
    ['.svc.test', 'http://svc.test/', false],
    ['.svc.test', 'http://othersvc.test/', true],
    ['*.svc.test', 'http://a.svc.test/', false],
    ['*.svc.test', 'http://othersvc.test/', true],
    ['SVC.Test', 'http://svc.test/', false],
    ['svc.test', 'http://SVC.TEST/', false],
    ['svc.test:8080', 'http://svc.test:8080/', false],
    ['svc.test:8080', 'http://a.svc.test:8080/', false],
    ['svc.test:8080', 'http://svc.test/', true],
    ['svc.test:80', 'http://svc.test/', false],
    ['svc.test:80', 'https://svc.test/', true],
    ['svc.test:443', 'https://svc.test/', false],
    ['svc.test:443', 'http://svc.test/', true],
    ['10.0.0.7', 'http://10.0.0.7/', false],
    ['10.0.0.7', 'http://10.0.0.70/', true],
    ['[2001:db8::1]', 'http://[2001:db8::1]/', false],
    ['2001:db8::1', 'http://[2001:db8::1]/', false],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080/', false],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]/', true],
    ['*', 'http://svc.test/', false],
    ['*', 'https://[2001:db8::1]/', false],
  ])('NO_PROXY=%s: %s is proxied: %s', (noProxy, address, isProxied) => {
    expect(way(address, both(noProxy)) !== undefined).toBe(isProxied)
  })

  it('is undefined if one of several patterns matches', () => {
    expect(way('https://svc.test/', both('other.test', 'svc.test'))).toBeUndefined()
    expect(way('https://svc.test/', both('other.test', 'another.test'))).toBe(HTTPS)
  })
})

describe('the authorization for a proxy', () => {
  const credentials = (proxy: string) => {
    const [scheme, value = ''] = (proxyAuthorization(new URL(proxy)) ?? '').split(' ')
    return `${scheme} ${Buffer.from(value, 'base64').toString('utf8')}`
  }

  it.each([
    ['http://user:secret@proxy', 'Basic user:secret'],
    ['http://user@proxy', 'Basic user:'],
    ['http://:secret@proxy', 'Basic :secret'],
    ['http://us%40er:se%3Acr%2Fet%25@proxy', 'Basic us@er:se:cr/et%'],
    ['http://user:%E2%82%AC@proxy', 'Basic user:€'],
    // A bare percent sign is meant as it stands.
    ['http://user:50%off@proxy', 'Basic user:50%off'],
  ])('is the percent-decoded user and password of its URL, in UTF-8: %s', (proxy, authorization) => {
    expect(credentials(proxy)).toBe(authorization)
  })

  it('is undefined for a URL without user and password', () => {
    expect(proxyAuthorization(new URL('http://proxy:3128'))).toBeUndefined()
  })
})
