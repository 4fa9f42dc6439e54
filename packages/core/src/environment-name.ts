/** Whether `text` may name a tracing environment: at most 40 of `a-z 0-9 - _`, not starting with `svc` (contract 2.5). */
export function isEnvironmentName(text: string): boolean {
  return /^(?!svc)[a-z0-9_-]{1,40}$/.test(text)
}
