import { withSentryConfig } from '@sentry/nextjs'
import { withSvcConfig } from '@svc/next/config'

export default withSentryConfig(withSvcConfig({}), { silent: true, telemetry: false, sourcemaps: { disable: true } })
