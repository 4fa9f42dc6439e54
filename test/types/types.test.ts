import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runNode } from '../support/run.ts'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const project = fileURLToPath(new URL('./tsconfig.json', import.meta.url))
const users = ['tracing.mts', 'tracing.cts', 'client.mts', 'client.cts', 'client-request-slot.mts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
)

it('what the built packages declare fits their users, ESM and CommonJS, also without the types of Node', async () => {
  const { code, stdout } = await runNode([compiler, '-p', project, '--listFiles'])
  const lines = stdout.trim().split('\n')
  expect({ code, complaints: lines.filter((line) => /\berror TS/.test(line)) }).toEqual({ code: 0, complaints: [] })
  expect(lines).toEqual(expect.arrayContaining(users))
})
