import { expect, it, vi } from 'vitest'
import { withSvcConfig } from './with-svc-config.ts'

it('adds to what the options say, and takes nothing away', () => {
  vi.stubEnv('SVC_PUBLIC_KEY', 'pk-1')
  vi.stubEnv('SVC_SECRET_KEY', 'sk-1')
  vi.stubEnv('SVC_BASE_URL', 'https://svc.example')
  const config = withSvcConfig({
    output: 'standalone' as const,
    serverExternalPackages: ['openai'],
    outputFileTracingIncludes: { '/**': ['a.txt'], '/one': ['b.txt'] },
    instrumentationClientInject: ['./own.js'],
    env: { NEXT_PUBLIC_SVC_BASE_URL: 'https://own.example', OTHER: '1' },
  })
  vi.unstubAllEnvs()
  expect(config).toMatchObject({
    output: 'standalone',
    serverExternalPackages: ['openai', '@svc/register'],
    instrumentationClientInject: ['./own.js', '@svc/next/client-inject'],
    env: { NEXT_PUBLIC_SVC_PUBLIC_KEY: 'pk-1', NEXT_PUBLIC_SVC_BASE_URL: 'https://own.example', OTHER: '1' },
    outputFileTracingIncludes: { '/one': ['b.txt'] },
  })
  expect(config.outputFileTracingIncludes?.['/**']).toContain('a.txt')
  expect(JSON.stringify(config)).not.toContain('sk-1')
})

it('takes a function for the options as well', async () => {
  const config = withSvcConfig(async (phase: string) => ({ basePath: `/${phase}` }))
  expect(await config('build')).toMatchObject({
    basePath: '/build',
    serverExternalPackages: ['@svc/register'],
  })
})

it('takes a promise of the options as well', async () => {
  const config = await withSvcConfig(Promise.resolve({ basePath: '/shop' }))
  expect(config).toMatchObject({ basePath: '/shop', serverExternalPackages: ['@svc/register'] })
})

it('takes no options for none', () => {
  expect(withSvcConfig(undefined as never)).toHaveProperty('outputFileTracingIncludes')
})
