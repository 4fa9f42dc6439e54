// All of the package, so that nothing of it escapes the bundler.
export * from '@svc/tracing'
