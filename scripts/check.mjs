// What `npm test` promises: build, types, lint and format, every test, and the packages as their users get them.
// One line for each green step, all that a red one said, and at the end the line that CI reads: "N passed, N failed",
// tests and other steps counted alike. `node scripts/check.mjs lint tests` runs only what is named. `--all` runs all rings of
// tests (test/README.md), `--beyond` the largest alone, `--unit` the smallest alone, `--apps` whole applications. `--slowest` lists the files and tests
// that took longest; `--report=FILE` writes what was red as JSON.
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './build.mjs'
import { runStep } from './check-step.mjs'
import { countTests } from './count-tests.mjs'
import { slowest } from './slowest.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'svc-check-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** What the temporary files of all tests take, most of it installs of the packed packages. */
const NEEDED_GB = 10

const { values: options, positionals: named } = parseWords()
const rings = ringsOf(options)
const started = performance.now()
const red = []

// Steps of one stage run together, those of a list one after the other; only with a good build do those that read `dist`
// tell the truth.
const stages = [
  [{ name: 'build', command: 'tsc -b && vite build packages/local/viewer --logLevel warn' }],
  [
    { name: 'lint', command: 'biome ci --error-on-warnings --colors=off .' },
    // Before the tests, which install them; the bundle first, which is part of what is packed.
    {
      name: 'tarballs',
      command: `node scripts/bundle.mjs && node scripts/tarballs.mjs > "${join(scratch, 'tarballs')}"`,
      readsDist: true,
    },
  ],
  [
    tests(join(scratch, 'tests.json')),
    // While tests wait.
    [
      { name: 'types', command: 'tsc -p tsconfig.tests.json && tsc -p packages/next/tsconfig.tests.json' },
      { name: 'unused', command: 'knip --no-progress --no-config-hints' },
      ...readdirSync(join(root, 'packages')).map(packed),
    ],
  ],
]

const sum = { passed: 0, failed: 0 }
let built = true
const isNamed = ({ name }) => named.length === 0 || named.some((word) => name.startsWith(word))
const needed = stages
  .flat(2)
  .filter(isNamed)
  .map(({ needs }) => needs)
for (const stage of stages) {
  await Promise.all(stage.map((steps) => runInTurn([steps].flat())))
  if (stage === stages[0]) built = sum.failed === 0
}
if (sum.passed + sum.failed === 0) sum.failed = 1
if (options.report) {
  const seconds = Math.round((performance.now() - started) / 1_000)
  writeFileSync(options.report, JSON.stringify({ ...sum, seconds, red }))
}
console.log(`${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed > 0 ? 1 : 0

async function runInTurn(steps) {
  for (const step of steps.filter((each) => isNamed(each) || needed.includes(each.name))) {
    const { passed, failed, titles = [step.name] } = await runStep(built || !step.readsDist ? step : notBuilt(step))
    sum.passed += passed
    sum.failed += failed
    if (failed > 0) red.push(...titles)
  }
}

function parseWords() {
  const flag = { type: 'boolean' }
  const flags = { unit: flag, all: flag, beyond: flag, apps: flag, slowest: flag, report: { type: 'string' } }
  try {
    return parseArgs({ allowPositionals: true, options: flags })
  } catch ({ message }) {
    console.error(`check: ${message}`)
    process.exit(1)
  }
}

/** Names of vitest's projects (test/support/rings.ts). */
function ringsOf({ unit, all, beyond, apps }) {
  if (apps) return ['apps']
  if (beyond) return ['all']
  return ['unit*', ...(unit ? [] : ['long', 'promises*']), ...(all ? ['all'] : [])]
}

function tests(report) {
  return {
    name: 'tests',
    command: [
      'vitest run --reporter=./scripts/progress-reporter.mjs --reporter=json',
      `--outputFile.json="${report}"`,
      ...rings.map((ring) => `--project '${ring}'`),
    ].join(' '),
    live: true,
    notes: missingSpace(),
    // Ends what hangs: a slow machine needs an hour for the largest ring.
    minutes: 180,
    readsDist: true,
    count: (green) => {
      if (options.slowest) for (const line of slowest(report)) console.log(line)
      return countTests(report, green)
    },
  }
}

/** A test that finds the disk full fails with anything but that. */
function missingSpace() {
  const { bavail, bsize } = statfsSync(tmpdir())
  const free = Math.floor((bavail * bsize) / 1e9)
  return free < NEEDED_GB ? [`only ${free} GB are free in ${tmpdir()}, the tests need up to ${NEEDED_GB}`] : []
}

/**
 * Looks at a packed package as npm's users will: files and entry points; in the largest ring, how each entry's types resolve,
 * which takes a compiler for each package.
 */
function packed(name) {
  return {
    name: `package ${name}`,
    command: [
      `tarball=$(echo "$(cat "${join(scratch, 'tarballs')}")"/svc-${name}-[0-9]*.tgz)`,
      'node scripts/lint-package.mjs "$tarball"',
      ...(rings.includes('all')
        ? ['attw --profile node16 --ignore-rules cjs-resolves-to-esm false-cjs --no-emoji --no-color "$tarball"']
        : []),
    ].join(' && '),
    needs: 'tarballs',
    readsDist: true,
  }
}

function notBuilt({ name }) {
  return { name, command: 'echo "Not run: the build is red." && exit 1' }
}
