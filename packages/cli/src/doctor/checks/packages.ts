import { hasSecondDestination, isOfOpenTelemetry1 } from '@svc/core/second-destination'
import { VERSION } from '@svc/core/version'
import { compareVersions } from '@svc/instrumentation/hook/target'
import type { App } from '../app/app.ts'
import type { Copy } from '../app/packages.ts'
import type { Finding } from '../finding.ts'

const API = '@opentelemetry/api'

/** Packages that register an OpenTelemetry provider, and the code that makes them register it. */
const OTHER_SDKS: Readonly<Record<string, RegExp>> = {
  '@sentry/node': /Sentry\.init\(/,
  '@sentry/nextjs': /Sentry\.init\(/,
  '@sentry/nestjs': /Sentry\.init\(/,
  '@vercel/otel': /\bregisterOTel\(/,
  '@opentelemetry/sdk-node': /new NodeSDK\(/,
  '@opentelemetry/sdk-trace-node': /new NodeTracerProvider\(/,
  '@traceloop/node-server-sdk': /traceloop\.initialize\(/i,
  '@azure/monitor-opentelemetry': /useAzureMonitor\(/,
  'dd-trace': /\bTracerProvider\(/,
}

/** Code that keeps such a package from it: our processor in its provider, and Sentry's options. */
const IN_ORDER = /\bSvcSpanProcessor\b|\bskipOpenTelemetrySetup:\s*true|\benableOpenTelemetrySetup:\s*false/

/** Checks the packages of svc and of OpenTelemetry. */
export function checkPackages(app: App): Finding[] {
  return [...checkVersions(app), ...checkApi(app), ...checkOtherSdks(app), ...checkPeers(app)]
}

function svcCopies({ packages }: App): Copy[] {
  return packages.names.filter((name) => name.startsWith('@svc/')).flatMap((name) => packages.copies(name))
}

function checkVersions(app: App): Finding[] {
  const copies = svcCopies(app).filter(({ name }) => name !== '@svc/local' && name !== '@svc/cli')
  const versions = [...new Set(copies.map(({ version }) => version))]
  if (versions.length === 0) return []
  if (versions.length > 1) {
    return [
      {
        id: 'svc-versions',
        severity: 'error',
        seen: `several versions of @svc packages: ${copies.map(({ name, version }) => `${name} ${version}`).join(', ')}`,
        means: 'All of them have to have the same version.',
        remedy: `npm i ${[...new Set(copies.map(({ name }) => `${name}@${newest(versions)}`))].join(' ')}`,
      },
    ]
  }
  const found: Finding[] = [{ id: 'svc-version', severity: 'ok', seen: `@svc packages ${versions[0]}` }]
  if (versions[0] !== VERSION) {
    const seen = `this is svc doctor ${VERSION}`
    found.push({ id: 'doctor-version', severity: 'info', seen, means: 'It may support other versions of libraries.' })
  }
  return found
}

const newest = (versions: readonly string[]): string => [...versions].sort(compareVersions).at(-1) ?? ''

/** Copies of the API. The preload works with any; elsewhere the copy that is loaded first decides. */
function checkApi({ packages }: App): Finding[] {
  const copies = packages.copies(API)
  if (copies.length < 2 || packages.resolve('@svc/register')) return []
  return [
    {
      id: 'api-copies',
      severity: 'warning',
      seen: `${copies.length} copies of ${API}: ${copies.map(({ version }) => version).join(', ')}`,
      means:
        'Copies work together only if none is newer than the one that is loaded first; the spans of a newer one are lost.',
      remedy: `One version for all: "overrides": { "${API}": "${newest(copies.map(({ version }) => version))}" } in package.json.`,
    },
  ]
}

function checkOtherSdks({ manifest, sources }: App): Finding[] {
  const installed = { ...manifest?.dependencies, ...manifest?.devDependencies }
  return Object.entries(OTHER_SDKS).flatMap(([name, call]): Finding[] => {
    if (!(name in installed)) return []
    const file = sources.find(({ text }) => text.includes(name) && call.test(text))
    if (!file || IN_ORDER.test(file.text)) return []
    return [
      {
        id: 'other-sdk',
        severity: 'warning',
        seen: `${file.path} starts ${name}`,
        means: 'OpenTelemetry has one global provider, and keeps the first. The second one gets no spans.',
        remedy: name.startsWith('@sentry/')
          ? 'Pass skipOpenTelemetrySetup: true to Sentry.init (Sentry 11: enableOpenTelemetrySetup: false).'
          : 'Start svc first and set OTEL_EXPORTER_OTLP_ENDPOINT to the other destination; or remove the preload and add new SvcSpanProcessor() of @svc/otel to the span processors there.',
      },
    ]
  })
}

const SDK_NODE = '@opentelemetry/sdk-node'
/** Packages that a second destination needs: optional peers of `@svc/register`. */
const STANDARD = [SDK_NODE, '@opentelemetry/auto-instrumentations-node']

/** Checks the peers of svc packages, and packages that variables name. */
function checkPeers(app: App): Finding[] {
  const { packages, preload, service } = app
  const missing = svcCopies(app).flatMap(({ name, folder, manifest }) =>
    Object.keys(manifest.peerDependencies ?? {})
      .filter((peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true && !packages.resolve(peer, folder))
      .map((peer) => ({ peer, by: name })),
  )
  const named = (preload.instrumentations ?? []).filter(
    (each) => /^@(traceloop|arizeai)\//.test(each) && !packages.resolve(each),
  )
  const isSecond = hasSecondDestination({ ...preload, baseUrl: service.baseUrl }, () => {})
  const standard = isSecond ? STANDARD.filter((name) => !packages.resolve(name)) : []
  const sdk = isSecond ? packages.resolve(SDK_NODE) : undefined
  const old = sdk && isOfOpenTelemetry1(sdk.version) ? [sdk] : []
  return [
    ...old.map(({ name, version }): Finding => {
      const seen = `${name} ${version}, but a second destination needs OpenTelemetry 2 or 3`
      return {
        id: 'peer-old',
        severity: 'error',
        seen,
        remedy: `npm i ${STANDARD.map((each) => `${each}@latest`).join(' ')}`,
      }
    }),
    ...standard.map((name): Finding => {
      const seen = `${name}, which a second destination needs, is not installed`
      return { id: 'peer-missing', severity: 'error', seen, remedy: `npm i ${name}` }
    }),
    ...missing.map(({ peer, by }): Finding => {
      const seen = `${peer}, which ${by} needs, is not installed`
      return { id: 'peer-missing', severity: 'error', seen, remedy: `npm i ${peer}` }
    }),
    ...named.map((name): Finding => {
      const seen = `${name}, which SVC_INSTRUMENTATIONS names, is not installed`
      return { id: 'peer-missing', severity: 'error', seen, remedy: `npm i ${name}` }
    }),
  ]
}
