import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { root } from './repository.ts'

const RUNS = 'console.log("running"); setInterval(() => {}, 1000)'
// As tests do whose programs get the signals of a terminal.
const STARTS = `require("node:child_process").spawn("node", ["-e", ${JSON.stringify(RUNS)}], { detached: true, stdio: "inherit" })`

it.each([
  ['in its group', RUNS],
  ['in a group of its own', STARTS],
])('Ctrl-C ends what a step has started, %s', async (_, script) => {
  const step = JSON.stringify({ name: 'long', command: `node -e '${script}' & wait`, live: true })
  const program = `import { runStep } from '${pathToFileURL(join(root, 'scripts/check-step.mjs'))}'\nawait runStep(${step})`
  const check = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: check.stdout })
  await once(lines, 'line')
  check.kill('SIGINT')
  // What the step started writes to the same pipe, which closes when all of them have ended.
  expect(await once(check, 'close')).toEqual([130, null])
})
