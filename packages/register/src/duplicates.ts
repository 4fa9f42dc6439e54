import type { Context, SpanOptions } from '@opentelemetry/api'
import { GEN_AI, SENTRY } from '@svc/core/attributes'
import { warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import { hasHost } from '@svc/core/registry'
import { publishLeftOut } from '@svc/core/span-events'
import { isAiSdkAdopted } from '@svc/instrumentation/ai-sdk/adoption'
import { type Duplicate, LIBRARIES } from '@svc/instrumentation/libraries'
import { isRecorded, markRecorded } from '@svc/instrumentation/record'
import { isInstrumented } from '@svc/instrumentation/third-party'
import { isThirdParty } from '@svc/instrumentation/third-party/names'

/** What one third-party instrumentation duplicates. */
interface DuplicateRule extends Duplicate {
  /** The package whose calls the instrumentation records. */
  readonly library: string
}

/** The rules by the last part of a scope's name, as {@link SCOPE} matches it: `openai`, `langchain`. */
const DUPLICATES: Readonly<Record<string, DuplicateRule>> = Object.fromEntries(
  LIBRARIES.flatMap(({ package: library, duplicates = {} }) =>
    Object.entries(duplicates).map(([scope, duplicate]) => [scope, { ...duplicate, library }]),
  ),
)
/** Scopes whose spans start inside calls that ours may record: of a library itself, or of what it calls. */
const WITH_CHILDREN = LIBRARIES.filter(({ childScopes }) => childScopes)
const SCOPE = /^(?:@(?:arizeai\/openinference|traceloop|opentelemetry)[/-]instrumentation-|(?=mcp-handler$))([a-z-]+)$/

/**
 * Called for each span before it starts. Returns true if it duplicates one of ours and must not be recorded. Otherwise
 * a call of a model client is marked as recorded, so that its framework does not record it too.
 */
export type IsDuplicate = (name: string, parent: Context, options?: SpanOptions) => boolean

/**
 * Called when a tracer is created. Returns the test for its spans; undefined if no span of the scope can duplicate
 * ours. Duplicates come from third-party instrumentations that the application registers itself, and from those in
 * `SVC_INSTRUMENTATIONS` that record the clients below a framework. The answer may change while the process runs, since
 * ours record nothing until the package is loaded, in a bundle, and where `SVC_INSTRUMENTATIONS` names the other
 * instrumentation.
 *
 * @param report gets one line about a scope that is left out
 */
export function duplicateTestOf(scope: string, report: (line: string) => void = warnOnce): IsDuplicate | undefined {
  const test = findTest(scope, report)
  return (
    test &&
    ((name, parent, options) => {
      const isLeftOut = test(name, parent, options)
      if (isLeftOut) publishLeftOut(scope, 'duplicate')
      return isLeftOut
    })
  )
}

function findTest(scope: string, report: (line: string) => void): IsDuplicate | undefined {
  if (scope.startsWith('@sentry/')) return isSentrysDuplicate
  const above = WITH_CHILDREN.find(({ childScopes }) => childScopes?.test(scope))
  if (above) {
    const isRecordedInside = (name: string) => hasHost() && above.ownSpans?.test(name) && isInstrumented(above.package)
    return (name, parent) => isRecorded(parent) || isRecordedInside(name) === true
  }
  const [, last = ''] = SCOPE.exec(scope) ?? []
  const duplicate = own(DUPLICATES, last)
  if (!duplicate) return undefined
  const { library, spans, isFramework } = duplicate
  return (name, parent) => {
    if (spans?.test(name) === false) return false
    if (isInstrumented(library)) {
      if (!isFramework || !spans) report(leftOutMessage(scope, duplicate.package ?? scope))
      return true
    }
    // A framework's spans start inside the call that they describe, so their parent does not tell who records it.
    if (isFramework) return false
    if (isRecorded(parent)) return true
    markRecorded(parent)
    return false
  }
}

/**
 * Sentry creates spans for model calls, around ours, with one scope for all libraries: the library is in their
 * attributes (`auto.ai.openai`).
 */
function isSentrysDuplicate(_name: string, parent: Context, options?: SpanOptions): boolean {
  const { [SENTRY.OP]: op, [SENTRY.ORIGIN]: origin } = options?.attributes ?? {}
  if (typeof op !== 'string' || !op.startsWith(GEN_AI.PREFIX)) return false
  if (isRecorded(parent)) return true
  const [, name = ''] = /^auto\.(?:ai\.)?(?:orchestrion\.)?(\w+)/.exec(String(origin)) ?? []
  const libraries = LIBRARIES.filter(({ sentryOrigin }) => sentryOrigin === name)
  return libraries.some((library) => isInstrumented(library.package) || (library.name === 'ai' && isAiSdkAdopted()))
}

function leftOutMessage(scope: string, name: string): string {
  const remedy = isThirdParty(name)
    ? `Name ${name} in SVC_INSTRUMENTATIONS instead of registering it`
    : 'Name the library in SVC_DISABLED_INSTRUMENTATIONS'
  return `spans of ${scope} are left out, because svc records the same calls. ${remedy} to have them.`
}
