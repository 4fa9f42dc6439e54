// Has V8 compile the functions that a start of the preload calls together with their file. It reads others
// superficially at first, and once more when they are called. It takes a function in parentheses for one that is called
// at once.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

/** Rewrites the files of the bundle in `out`. */
export function compileAtOnce(out) {
  for (const { path, places } of calledAtStart(out)) {
    const code = readFileSync(path, 'utf8')
    const isCalled = ({ type, start, end }) => type === 'FunctionDeclaration' && places.has(`${start}:${end}`)
    const functions = parseSync(path, code).program.body.filter(isCalled)
    const constants = functions.map(({ id, start, end }) => `const ${id.name} = (${code.slice(start, end)});`)
    const rest = functions.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
    const strict = /^['"]use strict['"];\n/.exec(rest)?.[0] ?? ''
    writeFileSync(path, [strict.trim(), ...constants, rest.slice(strict.length)].filter(Boolean).join('\n'))
  }
}

/**
 * Returns the functions of each file that a start of the bundle calls, in a process and in a thread, and the first
 * library. They are found by doing it.
 *
 * @returns for each file its path, and places such as `120:450` in it
 */
function calledAtStart(out) {
  const coverage = `${out}.coverage`
  const env = { NODE_V8_COVERAGE: coverage, SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk' }
  const thread = "new (require('node:worker_threads').Worker)(new URL('data:text/javascript,'))"
  const file = (name) => JSON.stringify(join(out, name))
  const load = `${thread}; require(${file('prepare.cjs')}).prepare(); require(${file('libraries.cjs')})`
  const { status, stderr } = spawnSync(process.execPath, ['--import', join(out, 'index.cjs'), '-e', load], { env })
  if (status !== 0 || stderr.length > 0) throw new Error(`the bundle does not start: ${stderr}`)
  const reports = readdirSync(coverage).map((file) => JSON.parse(readFileSync(join(coverage, file), 'utf8')))
  rmSync(coverage, { recursive: true })
  const files = reports.flatMap(({ result }) => result).filter(({ url }) => url.startsWith('file:'))
  // A file that a thread has loaded as well is there twice.
  return [...Map.groupBy(files, ({ url }) => url)].map(([url, each]) => ({
    path: fileURLToPath(url),
    places: new Set(each.flatMap(({ functions }) => functions.flatMap(placeOfCalled))),
  }))
}

function placeOfCalled({ ranges: [whole] }) {
  return whole.count > 0 ? [`${whole.startOffset}:${whole.endOffset}`] : []
}
