import { withSentryConfig } from '@sentry/nextjs/config'
import { withSvcConfig } from '@svc/next/config'

export default withSentryConfig(withSvcConfig({ experimental: { cpus: 1, turbopackFileSystemCacheForBuild: false } }), {
  silent: true,
  telemetry: false,
  sourcemaps: { disable: true },
})
