import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { cwd } from '../preload/apps.ts'

const run = promisify(execFile)

/** What npm says under a preload without keys, which complains where it starts. */
async function npm(force: string): Promise<string> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NODE_OPTIONS: '--import @svc/register', SVC_FORCE: force }
  return (await run('npm', ['--version'], { cwd, env })).stderr
}

it('SVC_FORCE=true starts also in a process that is not the application', async () => {
  expect(await npm('true')).toMatch(/no SVC_PUBLIC_KEY/)
})

it('SVC_FORCE=false or an invalid value, with a warning, does not', async () => {
  expect(await npm('false')).not.toContain('SVC_')
  expect(await npm('perhaps')).toMatch(/SVC_FORCE="perhaps"/)
  expect(await npm('perhaps')).not.toContain('SVC_PUBLIC_KEY')
})
