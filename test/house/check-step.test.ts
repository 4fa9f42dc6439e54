import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { root } from './repository.ts'

const step = JSON.stringify({
  name: 'long',
  command: `node -e "console.log('running'); setInterval(() => {}, 1000)" & wait`,
  live: true,
})
const program = `import { runStep } from '${pathToFileURL(join(root, 'scripts/check-step.mjs'))}'\nawait runStep(${step})`

it('Ctrl-C ends what a step has started', async () => {
  const check = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: check.stdout })
  await once(lines, 'line')
  check.kill('SIGINT')
  // What the step started writes to the same pipe, which closes when all of them have ended.
  expect(await once(check, 'close')).toEqual([130, null])
})
