import { fileURLToPath } from 'node:url'
import { startLocal } from '@svc/local'
import { expect, it, onTestFinished } from 'vitest'
import { fill } from '../../packages/local/test/support/many-traces.ts'
import { startNode } from '../support/run.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))

it('svc traces tail prints each trace that arrives, once, and none that was there', async () => {
  const local = await startLocal()
  onTestFinished(() => local.close())
  await fill(local, 1)
  const program = startNode([SVC, 'traces', 'tail', '--json'], { env: local.env })
  const polls = () => local.calls().filter(({ path }) => path.endsWith('/v2/observations')).length
  await local.waitFor(() => polls() > 1, { timeoutMs: 100_000 })
  await fill(local, 2)
  await program.printed(/"traceId"/)
  const before = polls()
  await local.waitFor(() => polls() > before + 2, { timeoutMs: 100_000 })
  program.child.kill('SIGTERM')
  const { stdout } = await program.ended
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name),
  ).toEqual(['POST /chat', 'POST /chat'])
})
