import { hasSecondDestination, isOfOpenTelemetry1 } from '@svc/core/second-destination'
import { VERSION } from '@svc/core/version'
import { compareVersions } from '@svc/instrumentation/hook/target'
import { plainWord } from '../../shell-word.ts'
import type { App } from '../app/app.ts'
import type { Copy } from '../app/packages.ts'
import type { Finding } from '../finding.ts'

const API = '@opentelemetry/api'

/** Checks the packages of svc and of OpenTelemetry. */
export function checkPackages(app: App): Finding[] {
  return [...checkVersions(app), ...checkApi(app), ...checkPeers(app)]
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
        remedy: `npm i ${[...new Set(copies.map(({ name }) => plainWord(`${name}@${newest(versions)}`)))].join(' ')}`,
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
      return { id: 'peer-missing', severity: 'error', seen, remedy: `npm i ${plainWord(peer)}` }
    }),
    ...named.map((name): Finding => {
      const seen = `${name}, which SVC_INSTRUMENTATIONS names, is not installed`
      return { id: 'peer-missing', severity: 'error', seen, remedy: `npm i ${plainWord(name)}` }
    }),
  ]
}
