import { applyEdits, type Edit, removals } from '../edits.ts'
import type { Remark } from '../rewrite/sheet.ts'
import { MOVED_PACKAGES } from '../tables/modules.ts'
import { type JsonProperty, jsonOf, propertiesOf } from './json.ts'

const SECTIONS = new Set(['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'])
const PINS = new Set(['overrides', 'resolutions', 'pnpm'])

/** Our packages in a package.json. */
export interface Installed {
  readonly names: ReadonlySet<string>
  /** The requested major version; undefined if it is unknown. */
  readonly major: number | undefined
}

export function installedBy(text: string): Installed {
  const ours = dependenciesOf(text).filter(({ name }) => name.startsWith('@svc/'))
  const majors = ours.flatMap((each) => majorOf(rangeOf(each)) ?? [])
  return { names: new Set(ours.map(({ name }) => name)), major: majors.length > 0 ? Math.min(...majors) : undefined }
}

interface Manifest {
  readonly text: string
  readonly edits: readonly Edit[]
  readonly remarks: readonly Remark[]
}

/**
 * Rewrites versions and peers in a package.json.
 *
 * @param needed our modules that the sources of this package import after the rewrite
 */
export function migrateManifest(text: string, needed: ReadonlySet<string>): Manifest {
  const all = dependenciesOf(text)
  const ours = all.filter(({ name }) => name.startsWith('@svc/'))
  const remarks: Remark[] = []
  if (ours.length === 0) return { text, edits: [], remarks }
  const edits: Edit[] = []
  const remark: Report = (severity, { start }, message, heading = '') =>
    void remarks.push({ severity, start, message, heading })
  const names = new Set(ours.map(({ name }) => name))
  const leaving = new Set<number>()
  for (const each of ours) migrateOurs(each, { names, needed, edits, remark, leaving })
  for (const siblings of new Set(ours.map((each) => each.siblings))) {
    edits.push(...removals(siblings, ({ start }) => leaving.has(start)))
  }
  for (const each of all) migratePeer(each, { names, edits, remark })
  const older = ours.find((each) => (majorOf(rangeOf(each)) ?? 6) < 6)
  if (older) remark('info', older, SERVICE)
  for (const section of propertiesOf(jsonOf(text))) {
    if (section.name === 'engines') checkEngines(section, remark)
    if (PINS.has(section.name) && text.slice(section.start, section.end).includes('@svc/')) {
      remark('error', section, `${section.name} names our packages: set them to version 6 by hand.`)
    }
  }
  return { text: applyEdits(text, edits), edits, remarks }
}

const SERVICE = 'The service has to be the hosted one, or self-hosted from 4.59.0; older ones stay with version 5.'

type Report = (
  severity: Remark['severity'],
  at: { start: number },
  message: string,
  heading?: Remark['heading'],
) => void

function dependenciesOf(text: string): (JsonProperty & { siblings: readonly JsonProperty[] })[] {
  const sections = propertiesOf(jsonOf(text)).filter(({ name }) => SECTIONS.has(name))
  return sections.flatMap(({ value }) => {
    const siblings = propertiesOf(value)
    return siblings.map((each) => ({ ...each, siblings }))
  })
}

function rangeOf({ value }: JsonProperty): string {
  return value.type === 'StringLiteral' ? value.value : ''
}

function majorOf(range: string): number | undefined {
  const [, major] = /^\D*?(\d+)/.exec(range.replace(/^npm:.*@/, '')) ?? []
  return major === undefined || /^(catalog|workspace|file|link|git|https?|github)\b/.test(range)
    ? undefined
    : Number(major)
}

/** Returns a range of the same kind for another version. */
function rangeFor(range: string, version: string): string {
  const [, sign] = /^([~^]?)\d+\.\d+\.\d+$/.exec(range) ?? []
  return `${sign ?? '^'}${version}`
}

interface Work {
  readonly names: Set<string>
  readonly edits: Edit[]
  readonly remark: Report
}

type Dependency = JsonProperty & { siblings: readonly JsonProperty[] }

function migrateOurs(dependency: Dependency, work: Work & { needed: ReadonlySet<string>; leaving: Set<number> }): void {
  const { name, value, key } = dependency
  const { names, needed, edits, remark } = work
  const range = rangeOf(dependency)
  const moved = MOVED_PACKAGES[name]?.split('/').slice(0, 2).join('/')
  const wanted = name === '@svc/core' ? [...needed].find((each) => !names.has(each)) : moved
  if (moved || name === '@svc/core') {
    if (!wanted || names.has(wanted)) return void work.leaving.add(dependency.start)
    names.add(wanted)
    edits.push({ start: key.start + 1, end: key.end - 1, text: wanted })
  }
  const major = majorOf(range)
  if (range.startsWith('catalog:')) {
    remark('error', dependency, `${name} gets its version from the catalog: set it to ^6.0.0 there.`)
  } else if (major === undefined && !/^(workspace|file|link):|^(latest|next|\*|x)$/.test(range)) {
    remark('error', dependency, `${name} gets its version from elsewhere: make sure that it is 6.`)
  } else if (major !== undefined && major < 6) {
    edits.push({ start: (value.start ?? 0) + 1, end: (value.end ?? 0) - 1, text: rangeFor(range, '6.0.0') })
  }
}

/** Updates packages that ours depend on. */
function migratePeer(dependency: Dependency, { names, edits, remark }: Work): void {
  const { name, value } = dependency
  const range = rangeOf(dependency)
  const major = majorOf(range)
  const raise = (version: string) => {
    edits.push({ start: (value.start ?? 0) + 1, end: (value.end ?? 0) - 1, text: rangeFor(range, version) })
  }
  if (name === '@langchain/core' && major === 0 && names.has('@svc/langchain')) raise('1.0.0')
  if (name === '@opentelemetry/api' && /^\D*1\.[0-8](\.|$)/.test(range)) raise('1.9.0')
  if (/^@opentelemetry\/sdk-trace(-base|-node|-web)?$/.test(name) && major === 1) {
    remark('error', dependency, 'Your own provider has to be of the OpenTelemetry SDK 2 or 3.')
  }
  if (name === '@ai-sdk/otel' && (names.has('@svc/vercel-ai-sdk') || names.has('@svc/instrumentation'))) {
    remark('error', dependency, 'SvcVercelAiSdkIntegration works without @ai-sdk/otel.', 'packages-that-moved')
  }
}

function checkEngines({ value, start }: JsonProperty, remark: Report): void {
  const node = propertiesOf(value).find(({ name }) => name === 'node')
  const major = node && majorOf(rangeOf(node))
  if (major !== undefined && major < 22)
    remark('warning', { start: node?.start ?? start }, 'Version 6 needs Node 22 or later.')
}
