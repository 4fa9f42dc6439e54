import * as Sentry from '@sentry/nextjs'

// Version 10 has the one option, and version 11 the other.
const WITHOUT_PROVIDER = { skipOpenTelemetrySetup: true, enableOpenTelemetrySetup: false }

export function registerOther() {
  Sentry.init({
    dsn: process.env.SENTRY_DSN,
    tracesSampleRate: 1,
    ...(process.env.PROVIDER === 'svc' ? WITHOUT_PROVIDER : {}),
  })
}

export const onRequestErrorOfOther = (...args: readonly unknown[]) =>
  Sentry.captureRequestError(...(args as Parameters<typeof Sentry.captureRequestError>))
