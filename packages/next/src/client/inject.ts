import { clientConfig, configureSvcClient } from './configure.ts'

// withSvcConfig has Next load this in the page, ahead of the application's own instrumentation-client. The two
// expressions must stand here as they are: the compiler puts the values of the build in their place.
configureSvcClient({
  publicKey: process.env.NEXT_PUBLIC_SVC_PUBLIC_KEY,
  baseUrl: process.env.NEXT_PUBLIC_SVC_BASE_URL,
  ...clientConfig(),
})
