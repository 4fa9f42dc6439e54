import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const home = fileURLToPath(new URL('../../packages/core', import.meta.url))

/** What `code` prints in a Node that cannot require ES modules. */
function run(code: string, ...flags: string[]): string {
  return execFileSync(process.execPath, ['--no-experimental-require-module', ...flags, '-e', code], {
    cwd: home,
    encoding: 'utf8',
    // pnpm's NODE_PATH finds everything.
    env: {},
  }).trim()
}

it('the CommonJS entry works where Node cannot require ES modules', () => {
  expect(run("console.log(Object.keys(require('./cjs/delivery/send-http.js')).join())")).toBe('httpSender')
})

// Jest asks for the form of browsers in jsdom, and cannot require ES modules.
it.each(['node', 'browser', 'edge-light'])('every export can be required under the condition %s', (condition) => {
  const code = `
    const { exports } = require('./package.json')
    const names = Object.keys(exports).filter((name) => name !== './package.json')
    for (const name of names) require('@svc/core' + name.slice(1))
    console.log(names.length > 50)
  `
  expect(run(code, `--conditions=${condition}`)).toBe('true')
})
