import type { App } from './app/app.ts'
import { checkBundle } from './checks/bundle.ts'
import { checkLibraries } from './checks/libraries.ts'
import { checkNext } from './checks/next.ts'
import { checkNode } from './checks/node.ts'
import { checkPackages } from './checks/packages.ts'
import { checkService } from './checks/service.ts'
import { checkHowToStart, checkStart } from './checks/start.ts'
import { checkVariables } from './checks/variables.ts'
import type { Finding } from './finding.ts'
import { strayKeys } from './key-source.ts'

/** Findings about one topic. */
export interface Section {
  readonly title: string
  readonly findings: readonly Finding[]
}

type Check = (app: App) => readonly Finding[] | Promise<readonly Finding[]>

const LOOKS: Readonly<Record<string, readonly Check[]>> = {
  Node: [checkNode],
  Variables: [checkVariables],
  Start: [checkStart, checkHowToStart, checkNext, checkBundle],
  Libraries: [checkLibraries],
  Packages: [checkPackages],
}

/** Inspects the app, and, unless `offline`, sends requests to its service. */
export async function examine(
  app: App,
  { offline = false, mayConnect = refused }: Examination = {},
): Promise<Section[]> {
  const sections: Section[] = []
  for (const [title, checks] of Object.entries(LOOKS)) {
    const findings = await Promise.all(checks.map((check) => check(app)))
    sections.push({ title, findings: findings.flat() })
  }
  if (!offline && canTry(sections)) sections.push({ title: 'Service', findings: await connected(app, mayConnect) })
  return sections.filter(({ findings }) => findings.length > 0)
}

interface Examination {
  readonly offline?: boolean
  /** Whether keys may go where they do not belong. */
  readonly mayConnect?: (stray: string) => Promise<boolean>
}

const refused = async (): Promise<boolean> => false

async function connected(app: App, mayConnect: NonNullable<Examination['mayConnect']>): Promise<readonly Finding[]> {
  const stray = strayKeys(app.variables)
  if (stray === undefined || (await mayConnect(stray))) return checkService(app)
  return [
    {
      id: 'keys-elsewhere',
      severity: 'warning',
      seen: stray,
      means: 'A file in a folder could name any address, so no request was made.',
      remedy: 'Set both in the same place, or add --yes.',
    },
  ]
}

/** Without usable keys, requests would only repeat an error that was reported. */
function canTry(sections: readonly Section[]): boolean {
  const stops = new Set(['keys-missing', 'config-file'])
  return !sections.some(({ findings }) => findings.some(({ id, severity }) => severity === 'error' && stops.has(id)))
}
