import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it("@svc/tracing can be required in Jest's jsdom: by the condition browser, without require(esm) and TextEncoder", () => {
  const code = `
    delete globalThis.TextEncoder
    delete globalThis.TextDecoder
    console.log(typeof require('@svc/tracing').startObservation)
  `
  const output = execFileSync(
    process.execPath,
    ['--no-experimental-require-module', '--conditions=browser', '-e', code],
    // pnpm's NODE_PATH finds everything.
    { cwd: fileURLToPath(new URL('../../packages/tracing', import.meta.url)), encoding: 'utf8', env: {} },
  )
  expect(output).toBe('function\n')
})
