import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NextConfig } from 'next'
import { expect, it, vi } from 'vitest'
import { withSvcConfig } from './with-svc-config.ts'

it('withSvcConfig adds to the options and removes none', () => {
  vi.stubEnv('SVC_PUBLIC_KEY', 'pk-1')
  vi.stubEnv('SVC_SECRET_KEY', 'sk-1')
  vi.stubEnv('SVC_BASE_URL', 'https://svc.example')
  const config = withSvcConfig({
    output: 'standalone' as const,
    serverExternalPackages: ['openai'],
    outputFileTracingIncludes: { '/**': ['a.txt'], '/one': ['b.txt'] },
    env: { NEXT_PUBLIC_SVC_BASE_URL: 'https://own.example', OTHER: '1' },
  })
  vi.unstubAllEnvs()
  expect(config).toMatchObject({
    output: 'standalone',
    serverExternalPackages: expect.arrayContaining(['openai', '@svc/register']),
    env: { NEXT_PUBLIC_SVC_PUBLIC_KEY: 'pk-1', NEXT_PUBLIC_SVC_BASE_URL: 'https://own.example', OTHER: '1' },
    outputFileTracingIncludes: { '/one': ['b.txt'] },
  })
  expect(config.outputFileTracingIncludes?.['/**']).toContain('a.txt')
  expect(JSON.stringify(config)).not.toContain('sk-1')
})

it('withSvcConfig keeps every installed instrumented library outside of bundles', () => {
  const project = mkdtempSync(join(tmpdir(), 'svc-config-'))
  for (const name of ['openai', '@anthropic-ai/sdk', 'left-pad']) {
    mkdirSync(join(project, 'node_modules', name), { recursive: true })
    writeFileSync(join(project, 'node_modules', name, 'package.json'), '{}')
  }
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project)
  const external = (config: NextConfig) => withSvcConfig(config).serverExternalPackages
  expect(external({})).toEqual(['@svc/register', 'openai', '@anthropic-ai/sdk'])
  expect(external({ transpilePackages: ['openai'] })).toEqual(['@svc/register', '@anthropic-ai/sdk'])
  cwd.mockRestore()
  rmSync(project, { recursive: true })
})

it('withSvcConfig accepts a function of options', async () => {
  const config = withSvcConfig(async (phase: string) => ({ basePath: `/${phase}` }))
  expect(await config('build')).toMatchObject({
    basePath: '/build',
    serverExternalPackages: expect.arrayContaining(['@svc/register']),
  })
})

it('withSvcConfig accepts a promise of options', async () => {
  const config = await withSvcConfig(Promise.resolve({ basePath: '/shop' }))
  expect(config).toMatchObject({ basePath: '/shop', serverExternalPackages: expect.arrayContaining(['@svc/register']) })
})

it('withSvcConfig accepts no options', () => {
  expect(withSvcConfig(undefined as never)).toHaveProperty('outputFileTracingIncludes')
})
