import { context } from '@opentelemetry/api'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import { isDebugging, log, warnOnce } from '@svc/core/log'
import { own } from '@svc/core/own'
import { setRoute } from '@svc/core/request-route'
import { type HookCoverage, hookModules, listLoadedPackages, type ModuleTarget } from '@svc/instrumentation/hook'
import { followToOwnRoute } from '@svc/instrumentation/own-route'
import { isBelowCall, isInCall } from '@svc/instrumentation/record'
import { followWebFetch, type RecordRequest, recordRequest, type WireRules } from '@svc/instrumentation/recorders'
import { NATIVE_ENGINES } from '@svc/instrumentation/targets'
import { withThirdParty } from '@svc/instrumentation/third-party'
import { ADOPTED, KNOWN, OWN, STANDARD, scopeOf, select } from './catalogue.ts'
import { followRoutes } from './http-root/route-hooks.ts'
import { mutedScopes } from './muted-scopes.ts'
import { CATALOGUE, findPackage } from './optional-packages.ts'
import type { Plan } from './plan.ts'
import { recordModelRequests, reportUnseen } from './sent-requests.ts'
import { loadStandard } from './standard-instrumentations.ts'
import { unseenLibraries } from './unseen-libraries.ts'

/** Arms our own instrumentations, which wait for their packages, and loads the chosen ones of the catalogue. */
export function instrument(plan: Plan): Instrumentation[] {
  const { preload, service, second } = plan
  log.debug(`${plan.owner} sends to ${destinationOf(plan)}.`)
  if (!plan.instrument) {
    recordModelRequests(() => false)
    return []
  }
  const selection = select({ ...preload, allowedScopes: service.allowedScopes, everything: second })
  for (const name of selection.unknown) {
    const known = [...KNOWN, ...STANDARD].join(', ')
    warnOnce(`instrumentation "${name}" is not known and is ignored. Known: ${known}.`)
  }
  // If its spans are muted, the root of the request replaces them.
  if (preload.httpRoot === true && selection.standard.includes('http') && !mutedScopes(plan)(scopeOf('http'))) {
    warnOnce('SVC_HTTP_ROOT has no effect beside the http instrumentation. Allow its scope in SVC_OTEL_ALLOWED_SCOPES.')
  }
  const chosen = selection.own.filter((name) => name !== 'ai' || plan.aiSdk !== false)
  // A call is recorded once: a third-party instrumentation that the user named replaces ours.
  const ours = chosen.flatMap((name) => OWN[name] ?? [])
  const libraries = withThirdParty(ours, selection.foreign)
  const targets = [
    ...libraries,
    ...(preload.wire === 'off' ? [] : NATIVE_ENGINES),
    ...(preload.httpRoot ? followRoutes(setRoute) : []),
  ]
  const sees = hookModules(targets)
  // Bun has no hooks, which its page says.
  const unseen = targets.length > 0 && process.versions.bun === undefined ? UNSEEN[sees] : undefined
  if (unseen) warnOnce(unseen)
  // The warning above covers this case already.
  else reportUnseen(() => unseenLibraries(chosen, plan.env))
  const rules: WireRules = {
    // What a third-party instrumentation records, it records alone.
    libraries:
      preload.wire === 'off'
        ? []
        : chosen.filter((name) => !selection.foreign.some((other) => other.endsWith(`-${name}`))),
    knownHostsOnly: preload.wire === 'known-hosts',
    blockedHosts: preload.wireBlockedHosts,
    raw: plan.raw,
    below: preload.wire !== 'off',
  }
  const record: RecordRequest = (kind, request) => {
    const active = context.active()
    if (kind !== 'web' && isBelowCall(active, 'chat')) followToOwnRoute(request, active)
    // Most requests are those of recorded calls, which need nothing of what records requests.
    const isLookedAt = plan.raw || (preload.wire !== 'off' && !isInCall(active))
    return isLookedAt && recordRequest(kind, request, rules)
  }
  recordModelRequests(record)
  if (process.versions.bun ?? process.versions.deno) followWebFetch(record)
  if (isDebugging()) process.once('exit', () => log.debug(describeLibraries(libraries)))
  for (const name of chosen) own(ADOPTED, name)?.()
  log.debug(`instrumentations: ${[...selection.own, ...selection.foreign, ...selection.standard].join(', ') || 'none'}`)
  // The plan has reported the packages that a second destination lacks.
  return second && findPackage(CATALOGUE) === undefined ? [] : loadStandard(selection.standard)
}

/** Warnings for runtimes in which not all modules can be hooked. */
const UNSEEN: Readonly<Record<HookCoverage, string | undefined>> = {
  all: undefined,
  required:
    `Node ${process.versions.node} can instrument libraries that are loaded as CommonJS (require), but not those that are ` +
    'loaded as ES modules (import): of their calls only requests to models are recorded. Update to Node 22.15 or later.',
  none: 'this runtime cannot hook modules (module.registerHooks, Node 22.15), so LLM libraries are not instrumented.',
}

/** Describes which libraries were loaded, for the log. Libraries in a bundle are not seen: see `instrument()`. */
function describeLibraries(targets: readonly ModuleTarget[]): string {
  // Some packages have several entries to look at.
  const packages = [...new Set(targets.map((target) => target.package))]
  const seen = listLoadedPackages().filter((one) => packages.some((name) => one.startsWith(`${name} `)))
  const unseen = packages.filter((name) => !seen.some((one) => one.startsWith(`${name} `)))
  return `instrumented libraries: ${seen.join(', ') || 'none'}; not seen: ${unseen.join(', ') || 'none'}.`
}

function destinationOf({ sends, second, service }: Plan): string {
  const own = sends ? [service.baseUrl ?? 'the exporter'] : []
  return [...own, ...(second ? ['the second destination'] : [])].join(' or ')
}
