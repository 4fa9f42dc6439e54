import { fileURLToPath } from 'node:url'
import { withSvcConfig } from '@svc/next/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// `npm test` starts the application from its own folder. Without what only a deployment needs a build takes half as long;
// `test:all` builds all of it.
const isDeployed = process.env.TEST_DEPLOYED === 'true'

export default withSvcConfig({
  distDir: process.env.TEST_BUILD ?? '.next',
  cacheComponents: true,
  ...(isDeployed && { output: 'standalone' }),
  rewrites: async () => [{ source: '/asked/:id', destination: '/api/u/:id/items' }],
  turbopack: { root },
  outputFileTracingRoot: root,
  experimental: {
    // The processor decides how many, and this machine is shared.
    cpus: 1,
    // Each build begins anew.
    turbopackFileSystemCacheForBuild: false,
    ...(!isDeployed && { turbopackMinify: false, turbopackSourceMaps: false, serverSourceMaps: false }),
  },
})
