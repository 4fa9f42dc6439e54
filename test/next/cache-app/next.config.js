import { fileURLToPath } from 'node:url'
import { withSvcConfig } from '@svc/next/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// Built with Turbopack and Cache Components.
export default withSvcConfig({
  cacheComponents: true,
  turbopack: { root },
  outputFileTracingRoot: root,
  experimental: { cpus: 1, turbopackFileSystemCacheForBuild: false },
})
