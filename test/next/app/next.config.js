import { fileURLToPath } from 'node:url'
import { withSvcConfig } from '@svc/next/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export default withSvcConfig({
  distDir: process.env.TEST_BUILD ?? '.next',
  cacheComponents: true,
  output: 'standalone',
  rewrites: async () => [{ source: '/asked/:id', destination: '/api/u/:id/items' }],
  turbopack: { root },
  outputFileTracingRoot: root,
  // The processor decides how many, and this machine is shared.
  experimental: { cpus: 1 },
})
