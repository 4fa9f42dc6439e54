import { expect, it } from 'vitest'
import { cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'

const keys = { SVC_PUBLIC_KEY: 'pk', SVC_SECRET_KEY: 'sk', SVC_BASE_URL: 'http://127.0.0.1:9' }
const program = `require('openai')
console.log(Object.keys(require('node:module')._cache).some((file) => /openai.instrument\\.c?js$/.test(file)))`

it.each([
  ['true', 'true\n', ''],
  ['false', 'false\n', ''],
  ['yes please', 'false\n', 'SVC_EAGER="yes please" is ignored: expected true or false.'],
])('SVC_EAGER=%s loads the recorder of a package together with it: %s', async (eager, stdout, line) => {
  const ended = await runNode([...PRELOAD, '-e', program], { cwd, env: { ...keys, SVC_EAGER: eager } })
  expect(ended.stdout).toBe(stdout)
  expect(ended.stderr).toContain(line)
  expect(ended.stderr.split('\n').filter(Boolean)).toHaveLength(line ? 1 : 0)
})
