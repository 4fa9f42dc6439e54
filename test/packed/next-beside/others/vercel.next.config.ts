import { withSvcConfig } from '@svc/next/config'

export default withSvcConfig({ experimental: { cpus: 1, turbopackFileSystemCacheForBuild: false } })
