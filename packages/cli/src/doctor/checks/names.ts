/** What people write, and what they mean. The names of version 5 that are gone, and those of other SDKs. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  SVC_HOST: 'SVC_BASE_URL',
  SVC_URL: 'SVC_BASE_URL',
  SVC_ENDPOINT: 'SVC_BASE_URL',
  SVC_API_URL: 'SVC_BASE_URL',
  SVC_BASE_PATH: 'SVC_BASE_URL',
  SVC_API_KEY: 'SVC_SECRET_KEY',
  SVC_KEY: 'SVC_SECRET_KEY',
  SVC_SECRET: 'SVC_SECRET_KEY',
  SVC_PUBLIC: 'SVC_PUBLIC_KEY',
  SVC_ENABLED: 'SVC_TRACING_ENABLED',
  SVC_TRACING: 'SVC_TRACING_ENABLED',
  SVC_ENV: 'SVC_TRACING_ENVIRONMENT',
  SVC_ENVIRONMENT: 'SVC_TRACING_ENVIRONMENT',
  SVC_SAMPLE_RATE: 'OTEL_TRACES_SAMPLER',
  SVC_OTEL_MAX_BATCH_SIZE_BYTES: 'SVC_OTEL_MAX_QUEUE_BYTES',
}

const VENDORS: readonly (readonly [prefix: RegExp, name: string])[] = [
  [/^(LANGSMITH_|LANGCHAIN_(TRACING|API_KEY|PROJECT|ENDPOINT))/, 'LangSmith'],
  [/^TRACELOOP_/, 'Traceloop'],
  [/^(PHOENIX_|ARIZE_)/, 'Arize Phoenix'],
  [/^BRAINTRUST_/, 'Braintrust'],
  [/^HELICONE_/, 'Helicone'],
  [/^OPIK_/, 'Opik'],
  [/^(WEAVE_|WANDB_)/, 'Weights & Biases'],
  [/^LUNARY_/, 'Lunary'],
  [/^AGENTOPS_/, 'AgentOps'],
  [/^LOGFIRE_/, 'Logfire'],
  [/^PORTKEY_/, 'Portkey'],
  [/^HONEYHIVE_/, 'HoneyHive'],
]

/** Whose variable it is, of those who observe LLM applications too. */
export function vendorOf(name: string): string | undefined {
  return VENDORS.find(([prefix]) => prefix.test(name))?.[1]
}

/** The known name that was meant: it differs in its case, its underscores, or a letter or two. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const bare = (text: string) => text.toUpperCase().replaceAll('_', '')
  const same = known.find((each) => bare(each) === bare(name))
  if (same) return same
  // Names of OpenTelemetry are alike, and most of those that we do not read are real.
  if (!/^svc_/i.test(name)) return undefined
  const near = known.map((each) => ({ each, steps: distance(bare(each), bare(name)) }))
  const nearest = near.reduce((one, other) => (other.steps < one.steps ? other : one))
  return nearest.steps <= 2 ? nearest.each : undefined
}

/** How many letters have to be changed, put in or left out (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
