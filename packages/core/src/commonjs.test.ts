import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the CommonJS entry works where Node cannot require ES modules', () => {
  const file = fileURLToPath(new URL('../cjs/delivery/send-http.js', import.meta.url))
  const code = `console.log(Object.keys(require(${JSON.stringify(file)})).join())`
  const output = execFileSync(process.execPath, ['--no-experimental-require-module', '-e', code], {
    encoding: 'utf8',
    // pnpm's NODE_PATH finds everything.
    env: {},
  })
  expect(output.trim().split(',')).toEqual(['httpSender'])
})
