/** The message about a provider of the application whose spans cannot be seen, with what is missing. */
export function describeUnjoined(provider: object | undefined): string {
  return (
    `spans of the application's own OpenTelemetry provider (${nameOf(provider)}) are not recorded by svc, because it is ` +
    'not of an OpenTelemetry SDK. Calls that svc records itself are, and observations.'
  )
}

/** Bundlers number class names (TracerProvider$1) or remove them. */
function nameOf(provider: object | undefined): string {
  return provider?.constructor?.name.replace(/\$\d+$/, '') || 'of an unknown kind'
}
