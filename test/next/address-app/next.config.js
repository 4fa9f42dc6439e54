import { fileURLToPath } from 'node:url'
import { withSvcConfig } from '@svc/next/config'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// Everything that makes an address differ from the name of its file.
export default withSvcConfig({
  basePath: '/shop',
  trailingSlash: true,
  // Of the Pages Router; below `app/` the language is a parameter.
  i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
  rewrites: async () => [
    { source: '/asked/:id', destination: '/api/svc/u/:id/items' },
    { source: '/read/:id', destination: '/old/:id' },
    { source: '/elsewhere/:id', destination: `${process.env.TEST_ELSEWHERE}/:id`, basePath: false },
  ],
  turbopack: { root },
  outputFileTracingRoot: root,
  experimental: { cpus: 1, turbopackFileSystemCacheForBuild: false },
})
