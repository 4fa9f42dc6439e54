import { fileURLToPath } from 'node:url'
import { withSvcConfig } from '@svc/next/config'

// Built with webpack, and without Cache Components, which know no edge runtime.
export default withSvcConfig({
  outputFileTracingRoot: fileURLToPath(new URL('../../..', import.meta.url)),
  experimental: { cpus: 1 },
  transpilePackages: ['openai'],
})
