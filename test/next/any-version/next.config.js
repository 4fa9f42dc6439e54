import { fileURLToPath } from 'node:url'
import { withSvcConfig } from '@svc/next/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export default withSvcConfig({
  outputFileTracingRoot: root,
  turbopack: { root },
  experimental: { cpus: 1 },
})
