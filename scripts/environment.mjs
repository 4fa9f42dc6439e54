/**
 * The variables of this process without those that would steer an app or its telemetry: what a developer set for a
 * program of their own must not decide how ours behave.
 */
export function plainEnvironment() {
  const steering = /^(SVC|OTEL|OPENAI)_|^NODE_OPTIONS$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !steering.test(name)))
}
