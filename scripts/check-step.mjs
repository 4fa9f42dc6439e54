// Runs one step of the check as a shell command and says how it went.
import { spawn, spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './build.mjs'
import { plainEnvironment } from './environment.mjs'

const groups = process.platform !== 'win32'
const running = new Set()
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(signal, () => {
    for (const { pid } of running) for (const group of groupsBelow(pid)) end(group)
    process.exit(code)
  })
}

/**
 * Prints one line when the step is green, and all it said when it is red; a `live` one speaks for itself while it runs.
 * A step counts as one, unless its `count` knows better. Never rejects.
 */
export async function runStep({ name, command, minutes = 10, live = false, count = countOne, notes = [] }) {
  const started = performance.now()
  const { green, output } = await shell(command, minutes, live)
  const counted = count(green)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  const many = counted.passed + counted.failed > 1 ? `, ${counted.passed} passed, ${counted.failed} failed` : ''
  // A live step that runs beside this one may have drawn a bar.
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K')
  console.log(`${counted.failed === 0 ? 'ok ' : 'RED'} ${name} (${seconds} s${many})`)
  for (const note of notes) console.log(`    ${note}`)
  if (counted.failed > 0) console.log(`${output.trim()}\n${(counted.notes ?? []).join('\n')}`.trimEnd())
  return counted
}

function countOne(green) {
  return green ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function shell(command, minutes, live) {
  const { promise, resolve } = Promise.withResolvers()
  const child = spawn(command, {
    cwd: root,
    env: environment(),
    shell: true,
    detached: groups,
    stdio: live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const collect = (text) => {
    output += text
  }
  child.stdout?.setEncoding('utf8').on('data', collect)
  child.stderr?.setEncoding('utf8').on('data', collect)
  const late = setTimeout(() => {
    collect(`\nEnded after ${minutes} minutes.`)
    for (const group of groupsBelow(child.pid)) end(group)
  }, minutes * 60_000)
  child.on('error', (error) => {
    collect(error.message)
    settle(1)
  })
  child.on('close', settle)
  child.on('exit', (code) => {
    // Whatever the step left running would hold the pipes open for ever.
    end(child.pid)
    setTimeout(settle, 2_000, code).unref()
  })
  return promise

  function settle(code) {
    clearTimeout(late)
    running.delete(child)
    resolve({ green: code === 0, output })
  }
}

/** A step, and what it started that is in a group of its own. */
function groupsBelow(step) {
  const { stdout } = groups ? spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'utf8' }) : {}
  const all = [...(stdout ?? '').matchAll(/(\d+) +(\d+) +(\d+)/g)].map(([, ...each]) => each.map(Number))
  const below = new Set([step])
  for (let known = 0; known < below.size; ) {
    known = below.size
    for (const [pid, parent] of all) if (below.has(parent)) below.add(pid)
  }
  return new Set([step, ...all.filter(([pid]) => below.has(pid)).map(([, , group]) => group)])
}

/** Ends a process with its group. */
function end(pid) {
  try {
    process.kill(groups ? -pid : pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

function environment() {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return { ...plainEnvironment(), PATH: path, NO_COLOR: '1', FORCE_COLOR: undefined }
}
