import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runNode } from '../support/run.ts'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const project = fileURLToPath(new URL('./tsconfig.json', import.meta.url))

it('what the built packages declare fits their users, ESM and CommonJS, also without the types of Node', async () => {
  const { code, stdout } = await runNode([compiler, '-p', project])
  expect({ code, complaints: stdout.trim() }).toEqual({ code: 0, complaints: '' })
})
