import { compareVersions } from '@svc/instrumentation/hook/target'
import type { App } from '../app/app.ts'
import { wordsOf } from '../app/shell.ts'
import type { Finding } from '../finding.ts'

const SUPPORTED = '22.0.0'
/** The first version of Node with synchronous module hooks. */
const HOOKS = '22.15.0'

/** Checks the version of Node and its flags, here and in files that name the app's version. */
export function checkNode(app: App): Finding[] {
  return [checkVersion(app), ...checkOtherVersions(app), ...checkFlags(app)]
}

function checkVersion({ nodeVersion }: App): Finding {
  const version = nodeVersion.replace(/^v/, '')
  return {
    id: 'node-version',
    ...(problemOf(`Node ${version}`, version) ?? { severity: 'ok', seen: `Node ${version}` }),
  }
}

/** Checks versions in files: the app may be deployed with another version of Node than this one. */
function checkOtherVersions({ read, manifest }: App): Finding[] {
  const image = [...(read('Dockerfile') ?? '').matchAll(/^FROM\s+\S*?node:v?(\d+(?:\.\d+)*)/gim)].at(-1)?.[1]
  const places = [
    ['Dockerfile, FROM node', image],
    ['.nvmrc', /^v?(\d+(?:\.\d+)*)\s*$/.exec(read('.nvmrc') ?? '')?.[1]],
    ['.node-version', /^v?(\d+(?:\.\d+)*)\s*$/.exec(read('.node-version') ?? '')?.[1]],
    ['package.json, engines.node', /^\^?~?v?(\d+(?:\.\d+)*)(?:\.x)?$/.exec(manifest?.engines?.node ?? '')?.[1]],
  ] as const
  return places.flatMap(([where, version]) => {
    const problem = version === undefined ? undefined : problemOf(`${where}: Node ${version}`, newestOf(version))
    return problem ? [{ id: 'node-other-version', ...problem }] : []
  })
}

/** Returns the problem with a version of Node; undefined if there is none. */
function problemOf(seen: string, version: string): Omit<Finding, 'id'> | undefined {
  const remedy = `Use Node ${HOOKS} or later.`
  if (compareVersions(version, SUPPORTED) < 0) {
    return {
      severity: 'error',
      seen: `${seen}, which is older than ${SUPPORTED}`,
      means: 'The svc packages do not support it.',
      remedy,
    }
  }
  if (compareVersions(version, HOOKS) >= 0) return undefined
  return {
    severity: 'warning',
    seen: `${seen}, which is older than ${HOOKS}`,
    means: 'The preload instruments libraries that are loaded as CommonJS, but not those imported as ES modules.',
    remedy,
  }
}

/** Returns the newest version of a line such as `22`. */
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
      means: 'At exit the last spans are sent from a worker, which Node does not allow here.',
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
