// Runs variants in alternation and compares them with the first one, the baseline.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const lowestDecile = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)]
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/**
 * Runs every variant once a round, in turn, and hands each the same chance of a noisy neighbour.
 *
 * @param {Record<string, () => Promise<Record<string, number>>>} variants
 * @returns {Promise<Record<string, Record<string, number>>>} the median of each figure of each variant
 */
export async function alternate(variants, rounds) {
  const samples = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(variants)) samples[name].push(await run())
    process.stderr.write(`\rround ${round + 1} of ${rounds}`)
  }
  process.stderr.write('\r')
  return Object.fromEntries(
    Object.entries(samples).map(([name, taken]) => [
      name,
      Object.fromEntries(Object.keys(taken[0]).map((figure) => [figure, median(taken.map((each) => each[figure]))])),
    ]),
  )
}

/**
 * Has variants work block by block in turns of some 20 ms, each in a process of its own that answers every message with
 * its figure of one more block. For costs of microseconds: the speed of a machine that others use wanders, by a factor of
 * two within seconds, and hits all variants alike this way.
 *
 * @param {Record<string, string[]>} variants arguments of `node`
 * @returns {Promise<Record<string, number>>} the lowest decile of each: blocks that nobody disturbed
 */
export async function inTurns(variants, blocks, env = {}) {
  const { PATH, HOME } = process.env
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc']
  const workers = Object.entries(variants).map(([name, args]) => {
    return { name, samples: [], worker: spawn(process.execPath, args, { env: { PATH, HOME, ...env }, stdio }) }
  })
  try {
    // The first answer is that it is warm.
    for (const { worker } of workers) await answerOf(worker)
    for (let block = 0; block < blocks; block++) {
      for (const { worker, samples } of workers) samples.push(await answerOf(worker))
    }
  } finally {
    for (const { worker } of workers) worker.kill()
  }
  return Object.fromEntries(workers.map(({ name, samples }) => [name, lowestDecile(samples)]))
}

async function answerOf(worker) {
  const gone = new AbortController()
  const ended = once(worker, 'exit', gone).then(([code]) => Promise.reject(new Error(`a variant ended with ${code}`)))
  const answer = once(worker, 'message', gone)
  try {
    worker.send('next')
    return (await Promise.race([answer, ended]))[0]
  } finally {
    ended.catch(() => {})
    answer.catch(() => {})
    gone.abort()
  }
}

/** The preload as npm's users have it: the bundle. */
export const preload = fileURLToPath(new URL('../packages/register/published/index.js', import.meta.url))

/** Whether processes keep to the core they are given: on Linux with two cores or more. */
const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
/** Says how cores were shared, for the note below a table. */
export const cores = pinned ? 'one core for the app, one for all else' : 'cores not pinned'

/** Program and arguments of `node …args` on one core, where processes can be pinned. */
export function onCore(core, args) {
  return pinned ? ['taskset', ['-c', String(core), process.execPath, ...args]] : [process.execPath, args]
}

/** Keeps this process on one core, where processes can be pinned. */
export function stayOnCore(core) {
  if (pinned) spawnSync('taskset', ['-acp', String(core), String(process.pid)])
}

/** Runs `node …args` and returns what it printed on its last line as JSON, with its wall time. */
export function child(args, env = {}, core = undefined) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const { PATH, HOME } = process.env
    const [command, all] = core === undefined ? [process.execPath, args] : onCore(core, args)
    const program = spawn(command, all, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    program.stdout.on('data', (chunk) => {
      output += chunk
    })
    program.once('error', reject)
    program.once('close', (code) => {
      const wall = performance.now() - started
      if (code !== 0) reject(new Error(`node ${args.join(' ')} ended with ${code}`))
      else resolve({ wall, ...JSON.parse(output.trim().split('\n').at(-1)) })
    })
  })
}

/** An intake on loopback that takes everything and keeps nothing. */
export async function sink() {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk) => {
      bytes += chunk.length
    })
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  return { url, bytes: () => bytes, close: () => server.close() }
}

/** Prints a table; `npm run bench -- --write` collects it as well. */
export function report(title, note, rows) {
  const { BENCH_REPORTS } = process.env
  if (BENCH_REPORTS) appendFileSync(BENCH_REPORTS, `${JSON.stringify({ title, note, rows })}\n`)
  console.log(`\n${title} (Node ${process.versions.node}, ${availableParallelism()} cores)`)
  console.table(rows)
  console.log(note)
}

export const round = (value, digits = 1) => Number(value.toFixed(digits))
