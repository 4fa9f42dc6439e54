// Runs the tests again and again while the machine is busy with something else, and prints each test that was ever red:
// what fails only then measures the machine. `npm run test:stress` runs `npm test` five times and `test:all` twice, with two
// busy loops for each core; `-- --test=1 --all=0 --loops=0` says how often, and beside how many loops.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './build.mjs'

const { values } = parseArgs({
  options: {
    test: { type: 'string', default: '5' },
    all: { type: 'string', default: '2' },
    loops: { type: 'string', default: String(2 * availableParallelism()) },
  },
})
const scratch = mkdtempSync(join(tmpdir(), 'svc-stress-'))
const loops = Array.from({ length: Number(values.loops) }, busyLoop)
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

let running
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    running?.kill()
    process.exit(1)
  })
}

const red = new Map()
const runs = [...Array(Number(values.test)).fill([]), ...Array(Number(values.all)).fill(['--all'])]
for (const [index, args] of runs.entries())
  await run(args, `${index + 1} of ${runs.length}: ${args.length ? 'test:all' : 'test'}`)

for (const [title, names] of red) console.log(`red in ${names.join(', ')}: ${title}`)
console.log(
  red.size === 0 ? `Every one of ${runs.length} runs was green.` : `${red.size} tests or steps were red at least once.`,
)
process.exitCode = red.size === 0 ? 0 : 1

async function run(args, name) {
  console.log(`run ${name}, beside ${loops.length} busy loops`)
  const report = join(scratch, 'report.json')
  rmSync(report, { force: true })
  const check = [join(root, 'scripts/check.mjs'), ...args, `--report=${report}`]
  running = spawn(process.execPath, check, { cwd: root, stdio: 'inherit' })
  await once(running, 'exit')
  const { passed, failed, seconds, red: titles } = read(report)
  console.log(`run ${name}: ${passed} passed, ${failed} failed in ${seconds} s`)
  for (const title of titles) red.set(title, [...(red.get(title) ?? []), name])
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, seconds: 0, red: ['the whole run ended without a report'] }
  }
}

/** Ends with us, however we end, and does not keep us. */
function busyLoop() {
  const parent = process.pid
  const code = `while (process.ppid === ${parent}) for (let i = 0; i < 1e7; i++);`
  const loop = spawn(process.execPath, ['-e', code], { stdio: 'ignore' })
  loop.unref()
  return loop
}
