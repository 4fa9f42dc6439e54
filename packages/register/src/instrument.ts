import { createRequire } from 'node:module'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import { log, warnOnce } from '@svc/core/log'
import { withForeign } from '@svc/instrumentation/adopted'
import { hookModules, type ModuleTarget, type Sight, shownPackages } from '@svc/instrumentation/hook'
import { configure } from '@svc/instrumentation/record'
import { ADOPTED, choose, KNOWN, OWN, STANDARD, scopeOf } from './catalogue.ts'
import { followRoutes } from './http-root/route-hooks.ts'
import { mutedScopes } from './muted-scopes.ts'
import { CATALOGUE, findPackage } from './optional-packages.ts'
import { API_COPIES } from './other-provider.ts'
import type { Plan } from './plan.ts'
import { setRoute } from './requests.ts'
import { reportUnseen } from './unseen.ts'

const require = createRequire(import.meta.url)

/** Arms our own instrumentations, which wait for their packages, and loads the chosen ones of the catalogue. */
export function instrument(plan: Plan): Instrumentation[] {
  const { preload, service, second } = plan
  const choice = choose({ ...preload, allowedScopes: service.allowedScopes, everything: second })
  for (const name of choice.unknown) {
    const known = [...KNOWN, ...STANDARD].join(', ')
    warnOnce(`instrumentation "${name}" is not known and is ignored. Known: ${known}.`)
  }
  // Where its spans are muted, the request's own root takes their place.
  if (preload.httpRoot === true && choice.standard.includes('http') && !mutedScopes(plan)(scopeOf('http'))) {
    warnOnce('SVC_HTTP_ROOT has no effect beside the http instrumentation. Allow its scope in SVC_OTEL_ALLOWED_SCOPES.')
  }
  configure(preload)
  const own = choice.own.filter((name) => name !== 'ai' || plan.aiSdk !== false)
  // A call is recorded once: ours step aside for what the user named.
  const ours = own.flatMap((name) => OWN[name] ?? [])
  const seen = withForeign(ours, choice.foreign)
  const libraries = preload.eager ? seen.map(loadingAtOnce) : seen
  const targets = preload.httpRoot ? [...libraries, ...followRoutes(setRoute)] : libraries
  const sees = hookModules([...targets, API_COPIES])
  const unseen = targets.length > 0 ? UNSEEN[sees] : undefined
  if (unseen) warnOnce(unseen)
  // Where not all is seen, that has been said.
  else reportUnseen(own, plan.env)
  if (log.debugging()) process.once('exit', () => log.debug(sightings(libraries)))
  for (const name of own) ADOPTED[name]?.()
  log.debug(`instrumentations: ${[...choice.own, ...choice.foreign, ...choice.standard].join(', ') || 'none'}`)
  // Of what a second destination lacks its plan has told.
  if (choice.standard.length === 0 || (second && findPackage(CATALOGUE) === undefined)) return []
  // Loaded only when asked for: OpenTelemetry's parts take longer to load than everything else together.
  const { loadStandard } = require('./standard-instrumentations.js') as typeof import('./standard-instrumentations.ts')
  return loadStandard(choice.standard)
}

/** The same target, which leaves nothing to be loaded with the first call. */
function loadingAtOnce(target: ModuleTarget): ModuleTarget {
  return {
    ...target,
    apply(exports, info) {
      target.apply(exports, info)
      target.load?.()
    },
  }
}

/** What is said where not all modules can be hooked. */
const UNSEEN: Readonly<Record<Sight, string | undefined>> = {
  all: undefined,
  required:
    `Node ${process.versions.node} shows svc the libraries that are loaded as CommonJS (require), and not those that are ` +
    'loaded as ES modules (import): their calls are not recorded. Update to Node 22.15 or later.',
  none: 'this runtime cannot hook modules (module.registerHooks, Node 22.15), so LLM libraries are not seen.',
}

/** Which libraries the application loaded where they can be seen. A bundle has none of them: see `instrument()`. */
function sightings(targets: readonly ModuleTarget[]): string {
  // Some packages have several entries to look at.
  const packages = [...new Set(targets.map((target) => target.package))]
  const seen = shownPackages().filter((one) => packages.some((name) => one.startsWith(`${name} `)))
  const unseen = packages.filter((name) => !seen.some((one) => one.startsWith(`${name} `)))
  return `libraries seen: ${seen.join(', ') || 'none'}; not seen: ${unseen.join(', ') || 'none'}.`
}
