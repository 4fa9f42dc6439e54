// Tests that are slow, and say nothing new while nothing that they read has changed. `npm test` runs such a group when one of its inputs is another than
// when the group last passed, and has a line for each that it leaves out. `pnpm test:all` runs all of them and, when
// everything is green, writes to test/slow-groups.json what they passed with.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './build.mjs'

const passed = join(root, 'test/slow-groups.json')

/** Each with the packages that it is about and what it reads beside them; what these need is added, and the tests' folders. */
export const GROUPS = {
  'the oldest versions of Next': {
    tests: ['test/next/versions.test.ts', 'test/packed/next-oldest.test.ts'],
    packages: ['next', 'register'],
  },
  'Node from 22.0 on': { tests: ['test/packed/node-22.test.ts'], packages: 'all' },
  'beside OpenTelemetry 1, 2 and 3, Sentry and Vercel': {
    tests: ['test/packed/beside.test.ts', 'test/packed/next-beside.test.ts'],
    packages: 'all',
  },
  'Cloudflare Workers': { tests: ['test/packed/workers.test.ts'], packages: ['otel', 'client', 'tracing'] },
  'new projects of Next and Nest': {
    tests: ['test/packed/next.test.ts', 'test/packed/nest-11.test.ts', 'test/packed/nest-12.test.ts'],
    packages: ['next', 'nestjs', 'register', 'tracing'],
  },
  'Nest 11': {
    tests: ['test/nest/express-11.test.ts', 'test/nest/fastify-11.test.ts'],
    packages: ['nestjs', 'register', 'tracing'],
  },
  'the example of Next in a browser': {
    tests: ['test/examples/next-chat.test.ts'],
    packages: ['next', 'register'],
    also: ['examples/next-chat'],
  },
  'older versions of LLM libraries': {
    tests: ['test/instrumentation/older-versions.test.ts'],
    packages: ['register', 'tracing'],
  },
  'layers and other vendors that know of one call, and memory after many calls': {
    tests: ['once/once.test.ts', 'once/named.test.ts', 'memory.test.ts'].map((file) => `test/instrumentation/${file}`),
    packages: ['register', 'tracing'],
  },
  'Next with webpack and on the edge': { tests: ['test/next/edge.test.ts'], packages: ['next', 'register'] },
  'experiments as tests of Vitest': { tests: ['test/client/experiment-tests.test.ts'], packages: ['client'] },
  'the pages of svc local': {
    tests: ['accessible', 'harmless', 'list', 'pages', 'playground', 'trace'].map(
      (file) => `test/browser/viewer/${file}.test.ts`,
    ),
    packages: ['local'],
  },
}

/** What tests of any group use. */
const COMMON = [
  ...['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  ...['build.mjs', 'bundle.mjs', 'bundle', 'tarballs.mjs'].map((name) => `scripts/${name}`),
  ...['test/support', 'test/preload', 'examples/model-server'],
]
/** What no test of a group reads: pages, but those of examples, and the tests of one file. */
const UNREAD = /^(?!examples\/).*\.md$|^packages\/.*\.test\.tsx?$/

/** The groups with an input that has changed since they last passed, and the others. */
export function sortGroups(
  known = existsSync(passed) ? JSON.parse(readFileSync(passed, 'utf8')) : {},
  now = digests(),
) {
  const [changed, unchanged] = [[], []]
  // Without git nobody knows, and each of them runs.
  for (const name of Object.keys(GROUPS)) (now[name] && now[name] === known[name] ? unchanged : changed).push(name)
  return { changed, unchanged }
}

export function writePassed() {
  writeFileSync(passed, `${JSON.stringify(digests(), null, 2)}\n`)
}

export function digests() {
  return Object.fromEntries(Object.keys(GROUPS).map((name) => [name, digestOf(inputsOf(name))]))
}

/** Paths of what a group reads, from the root. */
export function inputsOf(name) {
  const { tests, packages, also = [] } = GROUPS[name]
  const named = packages === 'all' ? readdirSync(join(root, 'packages')) : [...packages, 'local']
  const ours = withNeeded(named).map((each) => `packages/${each}`)
  return [...COMMON, ...also, ...ours, ...new Set(tests.map((test) => /^test\/[^/]+/.exec(test)[0]))]
}

/** Of the files in the working tree, so that what is not committed yet counts; undefined where there is no git. */
export function digestOf(paths, cwd = root) {
  const flags = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths]
  const { stdout, status } = spawnSync('git', flags, { cwd, encoding: 'utf8' })
  if (status !== 0) return undefined
  const files = [...new Set(stdout.split('\0'))].filter((file) => file && existsSync(join(cwd, file)))
  const hash = createHash('sha256')
  for (const file of files.filter((file) => !UNREAD.test(file)).sort()) {
    hash.update(`${file}\0`).update(readFileSync(join(cwd, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Packages of ours, and those of ours that they need. */
function withNeeded(packages) {
  const needed = new Set(packages)
  for (const name of needed) {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
    )
    for (const [, each] of Object.keys({ ...dependencies, ...devDependencies })
      .join()
      .matchAll(/@svc\/([\w-]+)/g)) {
      needed.add(each)
    }
  }
  return [...needed].sort()
}
