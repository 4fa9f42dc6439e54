import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../packages/local/test/support/api.ts'
import { fill } from '../../packages/local/test/support/many-traces.ts'
import { runSvc } from './support/svc.ts'

let local: LocalService
let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-datasets-'))
  local = await startLocal()
  // Two of these fail.
  await fill(local, 51)
})
afterAll(async () => {
  await local.close()
  rmSync(cwd, { recursive: true })
})

const svc = (...args: string[]) => runSvc(args, { cwd, env: local.env })
const add = (...args: string[]) => svc('datasets', 'add', ...args)
const FAILED = ['--where', 'level=ERROR since=1d']
const itemsOf = async (name: string) => (await call(local, `GET /dataset-items?datasetName=${name}`)).body.data

describe('svc datasets add', () => {
  it('lists what it would add, and adds nothing where nobody can be asked', async () => {
    const { code, stdout, stderr } = await add('failed', ...FAILED)
    expect(stdout.match(/^ {2}input: /gm)).toHaveLength(2)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'svc datasets add: nothing was done, as nobody can be asked here: add --yes\n',
    })
    expect((await call(local, 'GET /v2/datasets')).body.data).toEqual([])
  })

  it('adds each trace once, with its input and where it is from', async () => {
    const expected = ['--expected', '{"found":true}']
    expect((await add('failed', ...FAILED, ...expected, '--yes')).stdout).toMatch(/\n2 items added to dataset failed/)
    const again = await add('failed', '--where', 'since=1d limit=3 user="user-50"', '--yes')
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/it is in the dataset\n0 items added/) })
    const items = await itemsOf('failed')
    expect(items).toHaveLength(2)
    for (const { input, expectedOutput, sourceTraceId, sourceObservationId } of items)
      expect({ input, expectedOutput, sourceTraceId, sourceObservationId }).toEqual({
        ...{ input: expect.anything(), expectedOutput: { found: true }, sourceObservationId: null },
        sourceTraceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      })
  })

  it('takes parts of a trace, and leaves out one that lacks them', async () => {
    const parts = ['--input', '.input.nothing', '--expected', '.output']
    const { stdout } = await add('parts', ...FAILED, ...parts, '--yes')
    expect(stdout).toMatch(/left out: it has no \.input\.nothing\n0 items added/)
    await add('parts', ...FAILED, '--expected', '.output', '--yes')
    expect((await itemsOf('parts'))[0].expectedOutput).toEqual(expect.anything())
  })

  it.each([
    [['x'], "which traces? For example --where 'level=ERROR since=1d'"],
    [['x', '--where', 'level=ERROR sinse=1d'], '--where has no condition at "sinse=1d": expected name=value'],
    [['x', '--where', 'failed'], '--where has no condition at "failed"'],
    [['x', '--where', 'since=never'], 'since="never": expected a time'],
    [['x', '--where', 'user=nobody'], 'no trace fits user=nobody'],
  ])('%j is refused', async (args, message) => {
    expect(await add(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
  })
})

describe('svc init-evals', () => {
  const EVAL = 'evals/shop-refunds.eval.js'
  const init = (...args: string[]) => svc('init-evals', 'shop/refunds', ...args)

  it('writes an experiment, its configuration and the workflow of examples/evals-in-ci', async () => {
    writeFileSync(join(cwd, 'answer.js'), 'export const answer = String\n')
    const { code, stdout } = await init('--task', 'answer.js#answer')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`${EVAL}: is new\n`) })
    const experiment = readFileSync(join(cwd, EVAL), 'utf8')
    expect(experiment).toContain('import { answer as task } from "../answer.js"\n')
    expect(experiment).toContain('svcExperiment("shop/refunds", {')
    const workflow = '.github/workflows/evals.yml'
    const example = readFileSync(new URL(`../../examples/evals-in-ci/${workflow}`, import.meta.url), 'utf8')
    const command = 'npx vitest run --config evals.config.mjs'
    expect(readFileSync(join(cwd, workflow), 'utf8')).toBe(example.replace('npm run evals', command))
  })

  it('writes over a file that differs only when asked', async () => {
    writeFileSync(join(cwd, EVAL), '// mine\n')
    expect(await init('--task', 'answer.js')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('evals.config.mjs: is there\n'),
      stderr: 'svc init-evals: nothing was done, as nobody can be asked here: add --yes\n',
    })
    expect(readFileSync(join(cwd, EVAL), 'utf8')).toBe('// mine\n')
    expect(await init('--task', 'answer.js', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, EVAL), 'utf8')).toContain('import task from "../answer.js"\n')
  })

  it('needs the function that is tested', async () => {
    expect((await svc('init-evals', 'other')).stderr).toContain('--task src/answer.js#answer')
    expect((await svc('init-evals', 'other', '--task', 'no.js')).stderr).toContain('there is no file no.js')
    expect(existsSync(join(cwd, 'evals/other.eval.js'))).toBe(false)
  })
})
