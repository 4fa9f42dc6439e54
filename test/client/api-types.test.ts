import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { CONTRACT, type ContractRow, idsOf } from './api-contract.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'svc-api-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the contract calls by words is a type of ours. */
const NAMED: Readonly<Record<string, string>> = {
  void: 'void',
  'EvaluationRule (201)': 'wire.EvaluationRule',
  'Evaluator (201)': 'wire.Evaluator',
  'page of Evaluator': 'wire.EvaluatorsPage',
  'deletion confirmation': 'wire.DeleteEvaluatorResponse',
  '{id}': 'wire.DeleteEvaluationRuleResponse',
  'CreateScoreBatchResponse (202) or CreateScoreBatchResults (207)':
    'wire.CreateScoreBatchResponse | wire.CreateScoreBatchResults',
  'void (server answers 202 {message})': 'void',
  '{data: SkillMeta[], meta}': 'wire.SkillsPage',
  'SkillVersion (201)': 'wire.SkillVersion',
  '{content}': 'wire.SkillFileContent',
  '{deleted: bool}': 'wire.DeleteSkillVersionResponse',
}
const typeOf = (returns: string): string => NAMED[returns] ?? `wire.${returns}`

/** What the types of a method are compared with: a line that does not compile where they differ. */
function claimsOf(row: ContractRow): string[] {
  const method = `SvcApi['${row.call.split('.').join("']['")}']`
  const ids = idsOf(row)
  const count = `Parameters<${method}>['length']`
  const wanted = [
    `Same<Awaited<ReturnType<${method}>>, ${typeOf(row.returns)}>`,
    // Ids first, then the request, then the options; and nothing is any.
    `Same<${row.body ? `Exclude<${count}, ${ids.length}>` : count}, ${lengths(row, ids.length)}>`,
    `Same<Extract<Any<Awaited<ReturnType<${method}>>> | Any<Parameters<${method}>[number]>, true>, never>`,
    `Same<Parameters<${method}>[${ids.length + 1}], svc.RequestOptions | undefined>`,
  ]
  if (row.query) {
    const names = row.query.map((name) => `'${/^\w+/.exec(name)?.[0]}'`).join(' | ')
    wanted.push(`Same<keyof NonNullable<Parameters<${method}>[${ids.length}]>, ${names}>`)
  }
  if (row.body && /^\w+$/.test(row.body)) {
    wanted.push(`Same<NonNullable<Parameters<${method}>[${ids.length}]>, wire.${row.body}>`)
  }
  if (!row.query && !row.body)
    wanted.push(`Same<Parameters<${method}>[${ids.length}], Record<string, never> | undefined>`)
  return wanted
}

/** How many arguments a method may have. A body of which nothing is needed may be left out, says no table. */
function lengths(row: ContractRow, ids: number): string {
  const needed = row.body || row.query?.some((name) => name.includes('!'))
  return [...(needed ? [] : [ids]), ids + 1, ids + 2].join(' | ')
}

it('every API method has the types of the contract, and none is `any`', async () => {
  const claims = CONTRACT.flatMap((row) => claimsOf(row).map((claim) => `${claim} /* ${row.call} */`))
  const source = [
    "import type * as svc from '@svc/client'",
    "import type * as wire from '@svc/client/api'",
    'type SvcApi = svc.SvcApi',
    'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false',
    'type Any<T> = 0 extends 1 & T ? true : false',
    'type Holds<T extends true> = T',
    ...claims.map((claim, at) => `export type Claim${at} = Holds<${claim}>`),
  ]
  symlinkSync(join(root, 'test/node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(folder, 'claims.ts'), source.join('\n'))
  const options = { noEmit: true, composite: false, incremental: false, declaration: false, declarationMap: false }
  const compilerOptions = { ...options, lib: ['ES2022', 'DOM'], types: [] }
  const extended = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files: ['claims.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(extended))
  const { stdout } = await runNode([join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder })
  const wrong = [...stdout.matchAll(/claims\.ts\((\d+),/g)].map(([, line]) => source[Number(line) - 1])
  expect({ wrong, stdout }).toEqual({ wrong: [], stdout: '' })
})
