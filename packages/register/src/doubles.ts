import type { Context } from '@opentelemetry/api'
import { warnOnce } from '@svc/core/log'
import { isForeign } from '@svc/instrumentation/adopted'
import { isRecorded } from '@svc/instrumentation/calls'
import { isInstrumented } from '@svc/instrumentation/targets'

/** What an instrumentation records that ours record as well. */
interface Double {
  /** The package whose calls it records. */
  readonly library: string
  /** The names of those spans. Default: all of its spans. */
  readonly spans?: RegExp
  /** What it makes besides is its own affair: it records another library, which calls this one. */
  readonly above?: true
  /** The name of its package, where that is not the name of the scope. */
  readonly package?: string
}

/** Instrumentations of other vendors by the last part of the names of their scopes. */
const DOUBLES: Readonly<Record<string, Double>> = {
  openai: { library: 'openai' },
  anthropic: { library: '@anthropic-ai/sdk' },
  bedrock: { library: '@aws-sdk/client-bedrock-runtime' },
  cohere: { library: 'cohere-ai', spans: /^cohere\.(chat|completion)$/ },
  langchain: { library: '@langchain/core' },
  llamaindex: { library: 'openai', spans: /^chat /, above: true },
  mcp: { library: '@modelcontextprotocol/sdk' },
  'together-ai': { library: 'together-ai', package: '@traceloop/instrumentation-together' },
}

/** OpenTelemetry's, of which one part knows a few models: Bedrock. It runs below ours. */
const AWS = '@opentelemetry/instrumentation-aws-sdk'
const SCOPE = /^@(?:arizeai\/openinference|traceloop|opentelemetry)[/-]instrumentation-([a-z-]+)$/

/** Whether a span would tell of a call that is told of already. */
export type IsDouble = (name: string, parent: Context) => boolean

/**
 * Which spans of a scope tell a second time of what ours record: an application may register an instrumentation of
 * another vendor itself. Undefined where there can be none. Asked again for each span: until the package is loaded, in a
 * bundle, and where `SVC_INSTRUMENTATIONS` names the other one, ours record nothing.
 */
export function doublesOf(scope: string): IsDouble | undefined {
  if (scope === AWS) return (_, parent) => isRecorded(parent)
  const [, last = ''] = SCOPE.exec(scope) ?? []
  const double = Object.hasOwn(DOUBLES, last) ? DOUBLES[last] : undefined
  if (!double) return undefined
  return (name) => {
    if (!isInstrumented(double.library) || double.spans?.test(name) === false) return false
    if (!double.above) warnOnce(leftOut(scope, double.package ?? scope))
    return true
  }
}

function leftOut(scope: string, name: string): string {
  const remedy = isForeign(name)
    ? `Name ${name} in SVC_INSTRUMENTATIONS instead of registering it`
    : 'Name the library in SVC_DISABLED_INSTRUMENTATIONS'
  return `spans of ${scope} are left out, because svc records the same calls. ${remedy} to have them.`
}
