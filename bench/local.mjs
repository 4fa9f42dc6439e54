// What the page of @svc/local waits for with a million observations. `node bench/local.mjs FILE` keeps its database there, for
// the next time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, report, round } from './measure.mjs'

const TRACES = 333_000
const STEPS = 5_000
const LARGE = 'f'.repeat(32)
const TIMES = 7
const ASKED = {
  'list of traces': '/viewer/traces?limit=100',
  'its page 1,000': '/viewer/traces?limit=100&offset=100000',
  'sorted by latency': '/viewer/traces?sort=latency&limit=100',
  'sorted by cost': '/viewer/traces?sort=cost&order=asc&limit=100',
  'filtered by user': '/viewer/traces?user=user-7&limit=100',
  'filtered by level': '/viewer/traces?level=ERROR&limit=100',
  'filtered by tag and latency': '/viewer/traces?tag=web&minLatency=1000&limit=100',
  'nothing fits': '/viewer/traces?name=none&model=none&limit=100',
  'values beside it': '/viewer/choices?',
  'values of a filter': '/viewer/choices?level=ERROR&user=user-7',
  'search of a word': '/viewer/traces?search=answer&limit=100',
  'search of a rare word': '/viewer/traces?search=332999&limit=100',
  'search of nothing': '/viewer/traces?search=nowhere&limit=100',
  'values of a search': '/viewer/choices?search=answer',
  sessions: '/viewer/sessions?search=&limit=100&offset=0',
  'sessions, searched': '/viewer/sessions?search=session-19&limit=100&offset=0',
  users: '/viewer/users?search=&limit=100&offset=0',
  [`a trace of ${STEPS.toLocaleString('en')}`]: `/viewer/traces/${LARGE}`,
  'search within it': `/viewer/traces/${LARGE}/found?text=4999`,
  'search of all of it': `/viewer/traces/${LARGE}/found?text=document`,
}

const [file] = process.argv.slice(2)
const folder = file === undefined ? mkdtempSync(join(tmpdir(), 'svc-bench-')) : undefined
const args = [file ?? join(folder, 'svc.db'), TRACES, STEPS, LARGE].map(String)
const execArgv = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
const service = fork(fileURLToPath(new URL('./parts/local.mjs', import.meta.url)), args, { execArgv })
const answer = async () => (await once(service, 'message'))[0]
const url = await answer()

async function ask(path) {
  service.send('cpu')
  const before = await answer()
  const started = performance.now()
  const response = await fetch(url + path)
  await response.arrayBuffer()
  const wall = performance.now() - started
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  service.send('cpu')
  return { wall, cpu: ((await answer()) - before) / 1_000 }
}

const rows = {}
for (const [name, path] of Object.entries(ASKED)) {
  const taken = []
  for (let time = 0; time <= TIMES; time++) taken.push(await ask(path))
  const [first, ...others] = taken
  const [wall, cpu] = ['wall', 'cpu'].map((figure) => others.map((each) => each[figure]))
  const most = Math.max(...wall)
  rows[name] = {
    'first ms': round(first.wall),
    ms: round(median(wall)),
    'most ms': round(most),
    'CPU ms': round(median(cpu)),
  }
  process.stderr.write(`\r${name}: ${round(median(wall))} ms\x1b[K`)
}
process.stderr.write('\r\x1b[K')
service.kill()
await once(service, 'exit')
if (folder !== undefined) rmSync(folder, { recursive: true })

report(
  'The page of @svc/local over 1,000,000 observations',
  `An answer of the service to the page, from the request to its last byte: the first one, median and maximum of ${TIMES} more, and the CPU
of the process. ${TRACES.toLocaleString('en')} traces of three observations, and one of ${STEPS.toLocaleString('en')}. Does not show: what the browser makes of it.`,
  rows,
)
