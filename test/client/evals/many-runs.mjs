// A process that runs vitest in this folder one time after the other: each message is one, with a filter of tests, the
// file of the report, and variables.
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'

process.chdir(fileURLToPath(new URL('.', import.meta.url)))
process.on('message', run)
process.on('disconnect', () => process.exit())

async function run({ filter, report, env }) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = 0
  let printed = ''
  const write = (text, _, done) => {
    printed += text
    done()
  }
  const [stdout, stderr] = [new Writable({ write }), new Writable({ write })]
  const options = { watch: false, reporters: ['default', 'json'], outputFile: { json: report } }
  const vitest = await startVitest('test', [], { ...options, testNamePattern: filter }, {}, { stdout, stderr })
  await vitest.close()
  const code = process.exitCode
  process.exitCode = 0
  process.send({ code, printed })
}
