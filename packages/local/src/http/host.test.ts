import { describe, expect, it } from 'vitest'
import { isLoopback, isOwnHost } from './host.ts'

it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('the host %s is loopback', (host) => {
  expect(isLoopback(host)).toBe(true)
})

it.each(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.com', 'example.com'])(
  'the host %s is not loopback',
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)

describe('the Host header on loopback', () => {
  it.each([
    '127.0.0.1:3000',
    'localhost',
    'LOCALHOST:3000',
    '[::1]:3000',
    'app.localhost:3000',
    'host.docker.internal:3000',
  ])('%s is accepted', (header) => {
    expect(isOwnHost(header, '127.0.0.1')).toBe(true)
  })

  it.each([
    undefined,
    '',
    'evil.example:3000',
    'localhost.evil.example',
    '10.0.0.1:3000',
    'svc-local',
    'localhost@evil.example',
    'localhost:3000/evil',
    '127.0.0.1.evil.example',
  ])('%s is refused', (header) => {
    expect(isOwnHost(header, '127.0.0.1')).toBe(false)
  })
})

describe('the Host header beyond loopback', () => {
  it.each(['10.0.0.1:3000', '[fe80::1]:3000', 'svc-local:3000', 'localhost:3000'])('%s is accepted', (header) => {
    expect(isOwnHost(header, '0.0.0.0')).toBe(true)
  })

  it('the configured name is accepted', () => {
    expect(isOwnHost('svc.intern.example:80', 'svc.intern.example')).toBe(true)
  })

  it('another domain is refused', () => {
    expect(isOwnHost('evil.example:3000', '0.0.0.0')).toBe(false)
  })
})
