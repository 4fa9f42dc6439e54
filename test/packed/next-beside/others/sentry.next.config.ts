import { withSentryConfig } from '@sentry/nextjs/config'
import { withSvcConfig } from '@svc/next/config'

export default withSentryConfig(withSvcConfig({}), { silent: true, telemetry: false, sourcemaps: { disable: true } })
