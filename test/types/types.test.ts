import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runNode } from '../support/run.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const compiler = here('../../node_modules/typescript/bin/tsc')

async function compiled(folder: string, users: readonly string[]): Promise<void> {
  const { code, stdout } = await runNode([compiler, '-p', here(`${folder}/tsconfig.json`), '--listFiles'])
  const lines = stdout.trim().split('\n')
  expect({ code, complaints: lines.filter((line) => /\berror TS/.test(line)) }).toEqual({ code: 0, complaints: [] })
  expect(lines).toEqual(expect.arrayContaining(users.map((name) => here(`${folder}/${name}`))))
}

it('the declarations of the built packages compile in ESM and CommonJS, also without the types of Node', async () => {
  await compiled('.', ['tracing.mts', 'tracing.cts', 'client.mts', 'client.cts', 'client-request-slot.mts'])
})

it('unannotated code compiles with the types of openai, ai and LangChain', async () => {
  await compiled('written', ['prompts.mts', 'experiments.mts', 'experiment-tests.mts', 'names.mts'])
})

it('names, variables and placeholders of prompt files are type-checked', async () => {
  await compiled('registered', ['prompts.mts'])
})

it('version 5 names that are values exist at run time', async () => {
  const { code, stdout } = await runNode([here('written/names.mts')])
  expect({ code, values: JSON.parse(stdout) }).toEqual({
    code: 0,
    values: [
      ...['PENDING', 'ACTIVE', 'image/png', 'llm_as_judge'],
      ...['user.id', 'svc.user.id', 'svc.session.id', 'NUMERIC', 'BOOLEAN'],
    ],
  })
})

it('no exported name shadows a global one in auto-imports', async () => {
  const packages = await Promise.all([import('@svc/client'), import('@svc/tracing'), import('@svc/otel')])
  const names = packages.flatMap((each) => Object.keys(each))
  expect(names).toContain('BadRequestError')
  expect(names.filter((name) => name in globalThis)).toEqual([])
})
