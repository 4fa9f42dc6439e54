import type { Context } from '@opentelemetry/api'
import { warnOnce } from '@svc/core/log'
import { isForeign, isInstrumented } from '@svc/instrumentation/adopted'
import { claim, isRecorded } from '@svc/instrumentation/calls'

/** What an instrumentation records that ours record as well. */
interface Double {
  /** The package whose calls it records. */
  readonly library: string
  /** The names of those spans; others tell of what ours do not see. Default: all of its spans. */
  readonly spans?: RegExp
  /** It records a framework, which calls the clients of models. */
  readonly framework?: true
  /** The name of its package, where that is not the name of the scope. */
  readonly package?: string
}

/** Instrumentations of other vendors by the last part of the names of their scopes. */
const DOUBLES: Readonly<Record<string, Double>> = {
  openai: { library: 'openai', spans: /^(?!image_variation )/ },
  anthropic: { library: '@anthropic-ai/sdk', spans: /^(?!text_completion )/ },
  bedrock: { library: '@aws-sdk/client-bedrock-runtime' },
  cohere: { library: 'cohere-ai', spans: /^cohere\.(chat|completion)$/ },
  langchain: { library: '@langchain/core', framework: true },
  llamaindex: { library: 'openai', spans: /^chat /, framework: true },
  mcp: { library: '@modelcontextprotocol/sdk', spans: /\.tool$/ },
  'together-ai': { library: 'together-ai', package: '@traceloop/instrumentation-together' },
}

/**
 * What runs below ours and frameworks: OpenTelemetry's, of which one part knows Bedrock, and what the libraries of
 * Mistral and Anthropic make themselves.
 */
const BELOW = /^(@opentelemetry\/instrumentation-aws-sdk|mistralai_sdk_tracer|com\.anthropic\.sdk\.typescript(\..+)?)$/
const SCOPE = /^@(?:arizeai\/openinference|traceloop|opentelemetry)[/-]instrumentation-([a-z-]+)$/

/** Whether a span yields to another one of the same call. A call whose span does not is claimed by it. */
export type Yields = (name: string, parent: Context) => boolean

/**
 * Which spans of a scope tell a second time of what ours record: an application may register an instrumentation of
 * another vendor itself, or name one that records the clients of a framework. Undefined where there can be none. Asked
 * again for each span: until the package is loaded, in a bundle, and where `SVC_INSTRUMENTATIONS` names the other one,
 * ours record nothing.
 */
export function yieldingOf(scope: string): Yields | undefined {
  if (BELOW.test(scope)) return (_, parent) => isRecorded(parent)
  const [, last = ''] = SCOPE.exec(scope) ?? []
  const double = Object.hasOwn(DOUBLES, last) ? DOUBLES[last] : undefined
  if (!double) return undefined
  const { library, spans, framework } = double
  return (name, parent) => {
    if (spans?.test(name) === false) return false
    if (isInstrumented(library)) {
      if (!framework || !spans) warnOnce(leftOut(scope, double.package ?? scope))
      return true
    }
    // Its spans begin inside the calls that they are about.
    if (framework) return false
    if (isRecorded(parent)) return true
    claim(parent)
    return false
  }
}

function leftOut(scope: string, name: string): string {
  const remedy = isForeign(name)
    ? `Name ${name} in SVC_INSTRUMENTATIONS instead of registering it`
    : 'Name the library in SVC_DISABLED_INSTRUMENTATIONS'
  return `spans of ${scope} are left out, because svc records the same calls. ${remedy} to have them.`
}
