import { compare } from '@svc/instrumentation/hook/target'
import type { App } from '../app/app.ts'
import { wordsOf } from '../app/shell.ts'
import type { Finding } from '../finding.ts'

/** The first Node with synchronous module hooks. */
const OLDEST = '22.15.0'

/** The version of Node and its flags, here and where the app says which Node it runs on. */
export function checkNode(app: App): Finding[] {
  return [checkVersion(app), ...checkOtherVersions(app), ...checkFlags(app)]
}

function checkVersion({ nodeVersion }: App): Finding {
  const seen = `Node ${nodeVersion.replace(/^v/, '')}`
  if (compare(nodeVersion, OLDEST) >= 0) return { id: 'node-version', severity: 'ok', seen }
  return {
    id: 'node-version',
    severity: 'error',
    seen: `${seen}, which is older than ${OLDEST}`,
    means: 'The preload sees libraries that are loaded as CommonJS, and none that are imported as ES modules.',
    remedy: `Install Node ${OLDEST} or later.`,
  }
}

/** The app may be deployed with another Node than the one that runs here. */
function checkOtherVersions({ read, manifest }: App): Finding[] {
  const image = [...(read('Dockerfile') ?? '').matchAll(/^FROM\s+\S*?node:v?(\d+(?:\.\d+)*)/gim)].at(-1)?.[1]
  const places = [
    ['Dockerfile, FROM node', image],
    ['.nvmrc', /^v?(\d+(?:\.\d+)*)\s*$/.exec(read('.nvmrc') ?? '')?.[1]],
    ['.node-version', /^v?(\d+(?:\.\d+)*)\s*$/.exec(read('.node-version') ?? '')?.[1]],
    ['package.json, engines.node', /^\^?~?v?(\d+(?:\.\d+)*)(?:\.x)?$/.exec(manifest?.engines?.node ?? '')?.[1]],
  ] as const
  return places.flatMap(([where, version]) => {
    if (version === undefined || compare(newestOf(version), OLDEST) >= 0) return []
    return {
      id: 'node-other-version',
      severity: 'error',
      seen: `${where}: Node ${version}, which is older than ${OLDEST}`,
      means: 'There the preload sees libraries that are loaded as CommonJS, and none that are imported as ES modules.',
      remedy: `Use Node ${OLDEST} or later there.`,
    }
  })
}

/** `22` stands for the newest version of its line. */
function newestOf(version: string): string {
  return [...version.split('.'), '999', '999'].slice(0, 3).join('.')
}

interface Flag {
  readonly isFound: (flags: readonly string[]) => boolean
  readonly finding: Omit<Finding, 'id'>
}

const FLAGS: readonly Flag[] = [
  {
    isFound: (flags) => flags.includes('--permission') && !flags.includes('--allow-worker'),
    finding: {
      severity: 'warning',
      seen: '--permission without --allow-worker',
      means: 'At the end of the process the last spans are sent from a worker, which Node does not allow here.',
      remedy: 'Add --allow-worker.',
    },
  },
]

function checkFlags({ starts, variables }: App): Finding[] {
  const places = [
    { where: 'NODE_OPTIONS', words: wordsOf(variables.find('NODE_OPTIONS')?.value ?? '') },
    ...starts.map(({ where, arguments: words, env }) => ({
      where,
      words: [...wordsOf(env.NODE_OPTIONS ?? ''), ...words],
    })),
  ]
  return FLAGS.flatMap(({ isFound, finding }) => {
    const place = places.find(({ words }) => isFound(words.map((word) => word.split('=', 1)[0] ?? '')))
    return place ? [{ ...finding, id: 'node-flags', seen: `${place.where}: ${finding.seen}` }] : []
  })
}
