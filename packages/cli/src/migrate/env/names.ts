import { own } from '@svc/core/own'
import type { Setting } from '@svc/core/setting'
import { exportSettings, logSettings, networkSettings, preloadSettings } from '@svc/core/settings'

/** Wrong names, with the right one: removed names of version 5, and typical guesses. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
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

/** Variables whose values have another meaning, so that renaming is not enough. */
export const OTHER_VALUES: ReadonlySet<string> = new Set(['SVC_SAMPLE_RATE', 'SVC_OTEL_MAX_BATCH_SIZE_BYTES'])

interface Vendor {
  readonly name: string
  readonly variables: RegExp
  /** Hosts of its exporters. */
  readonly hosts?: RegExp
}

const VENDORS: readonly Vendor[] = [
  {
    name: 'LangSmith',
    variables: /^(LANGSMITH_|LANGCHAIN_(TRACING|API_KEY|PROJECT|ENDPOINT))/,
    hosts: /\bsmith\.langchain\.com\b/,
  },
  { name: 'Traceloop', variables: /^TRACELOOP_/, hosts: /\btraceloop\.com\b/ },
  { name: 'Arize Phoenix', variables: /^(PHOENIX_|ARIZE_)/, hosts: /\b(arize|phoenix)\.com\b/ },
  { name: 'Braintrust', variables: /^BRAINTRUST_/, hosts: /\bbraintrust\.dev\b/ },
  { name: 'Helicone', variables: /^HELICONE_/, hosts: /\bhelicone\.ai\b/ },
  { name: 'Opik', variables: /^OPIK_/, hosts: /\bcomet\.com\b/ },
  { name: 'Weights & Biases', variables: /^(WEAVE_|WANDB_)/, hosts: /\bwandb\.ai\b/ },
  { name: 'Lunary', variables: /^LUNARY_/, hosts: /\blunary\.ai\b/ },
  { name: 'AgentOps', variables: /^AGENTOPS_/, hosts: /\bagentops\.ai\b/ },
  { name: 'Logfire', variables: /^LOGFIRE_/, hosts: /\blogfire(-\w+)?\.pydantic\.dev\b/ },
  { name: 'Portkey', variables: /^PORTKEY_/, hosts: /\bportkey\.ai\b/ },
  { name: 'HoneyHive', variables: /^HONEYHIVE_/, hosts: /\bhoneyhive\.ai\b/ },
]

/** Returns the LLM observability vendor of a variable. */
export function vendorOf(name: string): string | undefined {
  return VENDORS.find(({ variables }) => variables.test(name))?.name
}

/** Returns the vendor whose host a text contains. */
export function vendorAt(text: string): string | undefined {
  return VENDORS.find(({ hosts }) => hosts?.test(text))?.name
}

const IN_PLACE: readonly (readonly [end: RegExp, instead: string])[] = [
  [/_(API_?)?(KEY|TOKEN|SECRET)$/, 'SVC_SECRET_KEY replaces it, with SVC_PUBLIC_KEY.'],
  [/_(PROJECT|SPACE|WORKSPACE|ORG|TENANT)(_(NAME|ID|KEY))?$/, 'The keys of svc determine the project.'],
  [/_(ENDPOINT|HOST|URL|BASE_URL|URI)$/, 'SVC_BASE_URL replaces it.'],
  [/_(TRACING|ENABLED|TRACING_V2|TRACING_ENABLED)$/, 'SVC_TRACING_ENABLED replaces it: tracing is on by default.'],
  [/_(ENVIRONMENT|ENV)$/, 'SVC_TRACING_ENVIRONMENT replaces it.'],
  [/_SAMPL/, 'OTEL_TRACES_SAMPLER replaces it.'],
  [/_HEADERS$/, 'SVC_ADDITIONAL_HEADERS replaces it, if a gateway needs headers.'],
]

/** Returns the replacement for a variable of another vendor. */
export function insteadOf(name: string): string {
  const [, instead] = IN_PLACE.find(([end]) => end.test(name)) ?? []
  return instead ?? 'It has no replacement.'
}

/** Every setting of an app. */
export const SETTINGS: readonly Pick<Setting<unknown>, 'env' | 'secret'>[] = [
  exportSettings,
  preloadSettings,
  networkSettings,
  logSettings,
].flatMap((table) => Object.values(table))

/** Every variable that svc reads. */
export const KNOWN_NAMES: readonly string[] = [...new Set(SETTINGS.flatMap(({ env }) => env))]

/** Returns the known name for one that svc does not read. */
export function meantBy(name: string): string | undefined {
  const upper = name.toUpperCase()
  const other = own(OTHER_NAMES, upper)
  if (other !== undefined) return other
  return nearestName(name, KNOWN_NAMES)
}

/** Returns the known name that differs only in case, underscores, or one or two letters. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const bare = (text: string) => text.toUpperCase().replaceAll('_', '')
  const same = known.find((each) => bare(each) === bare(name))
  if (same) return same
  // Names of OpenTelemetry are similar to each other, and most that we do not read are valid.
  if (!/^svc_/i.test(name)) return undefined
  // A name may be as long as its file: what is longer or shorter by more letters needs no comparison.
  const like = known.filter((each) => Math.abs(bare(each).length - bare(name).length) <= MOST_STEPS)
  const near = like.map((each) => ({ each, steps: distance(bare(each), bare(name)) }))
  return near.filter(({ steps }) => steps <= MOST_STEPS).sort((one, other) => one.steps - other.steps)[0]?.each
}

const MOST_STEPS = 2

/** Returns the Levenshtein distance. */
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
