import * as Sentry from '@sentry/nextjs'

export function registerOther() {
  const skips = process.env.SKIPS === 'true'
  Sentry.init({
    dsn: process.env.SENTRY_DSN,
    tracesSampleRate: 1,
    ...(skips ? { skipOpenTelemetrySetup: true } : {}),
  })
}

export const onRequestErrorOfOther = (...args: readonly unknown[]) =>
  Sentry.captureRequestError(...(args as Parameters<typeof Sentry.captureRequestError>))
