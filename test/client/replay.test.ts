import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { runNode } from '../support/run.ts'

const REPLAY = new URL('../../packages/client/dist/vitest/replay.js', import.meta.url).href

// A process, because a runner of tests may find more packages than Node. That it answers is in test/packed.
it('replay of @svc/client/vitest names what it needs', async () => {
  const program = `import { replay } from '${REPLAY}'; await replay('trace.json').catch(({ message }) => console.log(message))`
  const { stdout, stderr } = await runNode(['--input-type=module', '-e', program], { cwd: tmpdir() })
  const missing = 'replay() needs @svc/cli, which is not installed: npm i -D @svc/cli\n'
  expect({ stdout, stderr }).toEqual({ stdout: missing, stderr: '' })
})
