import { realpathSync } from 'node:fs'

/**
 * Packages whose programs are tools, not the application: `NODE_OPTIONS=--import @svc/register` reaches them too.
 * Programs that run the application in their own process (tsx, ts-node, next start, vite dev) are not among them.
 */
const TOOLS = new Set(
  `npm pnpm yarn corepack typescript eslint prettier webpack webpack-cli rollup esbuild tsup tsdown knip turbo nx lerna
  rimraf cross-env npm-run-all npm-run-all2
  @biomejs/biome @swc/cli @nestjs/cli @changesets/cli prisma husky lint-staged concurrently nodemon
  jest jest-cli jest-worker vitest tinypool mocha ava c8 nyc @playwright/test`.split(/\s+/),
)

/** Tools that run from outside a node_modules folder: package managers as single files. */
const TOOL_FILES = /^(npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack|tsc)(-cli)?(-[\d.]+)?(\.[cm]?js)?$/

/** Commands of the `next` program that are not the application. */
const NEXT_COMMANDS = new Set(['build', 'lint', 'typegen', 'telemetry', 'info', 'upgrade', 'analyze'])

/** The properties of a process that show what it runs. */
export interface ProcessFacts {
  readonly argv: readonly string[]
  /** `process.execArgv`. */
  readonly execArgv: readonly string[]
  /** `NEXT_PHASE`, set in the workers of `next build`. */
  readonly nextPhase: string | undefined
}

/**
 * Returns the name of the tool that this process runs; undefined if it is the application. Decided by the program that
 * was started, never by inherited variables: an application started by a test is an application.
 */
export function toolOf({ argv, execArgv, nextPhase }: ProcessFacts): string | undefined {
  if (nextPhase === 'phase-production-build') return 'next build'
  // The runner's own process, and since Node 24 its workers, which it starts with all of its flags spelled out.
  if (execArgv.some((flag) => flag === '--test' || flag.startsWith('--test-isolation'))) return 'node --test'
  const program = argv[1]
  if (!program) return undefined
  const path = resolved(program).replaceAll('\\', '/')
  const name = packageOf(path)
  if (name && TOOLS.has(name)) return name
  if (name === 'vite') return argv[2] === 'build' ? 'vite build' : undefined
  if (name === 'next') return nextTool(path, argv[2])
  const file = path.slice(path.lastIndexOf('/') + 1)
  return TOOL_FILES.test(file) ? file : undefined
}

function nextTool(path: string, command: string | undefined): string | undefined {
  if (path.includes('/jest-worker/')) return 'next worker'
  return command && NEXT_COMMANDS.has(command) ? `next ${command}` : undefined
}

function resolved(program: string): string {
  try {
    return realpathSync(program)
  } catch {
    return program
  }
}

/** The package a file belongs to: what follows the last `node_modules/`. */
function packageOf(path: string): string | undefined {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
}
