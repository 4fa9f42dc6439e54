import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace: promised } = readmeOf('evals-in-ci')

const INSTRUCTION = 'Answer as a poem, and never with the name of a town.'

/** What vitest prints without what differs from run to run: times, ids, ports, its version and folder. */
const lasting = (printed: string) =>
  timeless(printed)
    .replace(/RUN .*/, 'RUN')
    .replaceAll(/\b\d+(\.\d+)?m?s\b/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, '<time>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
    .replaceAll(/baseline=[0-9a-f]{16}/g, 'baseline=<experiment id>')
    .replaceAll(/^ +(Start at|Duration) .*\n?/gm, '')
    .trim()

describe('examples/evals-in-ci', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const run = (env: Readonly<Record<string, string>> = {}, keys: Readonly<Record<string, string>> = service.env) =>
    runNode(args, { cwd: folder, env: { NO_COLOR: '1', ...keys, ...env } })

  it('prints the output shown at the end of its README, sends each item with its model call, and fails once it is worse', async () => {
    const ended = await run()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(lasting(ended.stdout)).toBe(lasting(promised))
    expect(service.local.traces().map(({ observations }) => observations.map(({ name }) => name))).toEqual(
      Array(3).fill(['experiment-item-run', 'answer', 'chat gpt-4.1-mini']),
    )
    // The next run is compared with this one.
    const worse = await run({ INSTRUCTION })
    expect(worse.code).toBe(1)
    expect(worse.stderr).toContain('Is Stockholm the capital of Sweden?: names-it was 1, is 0')
  })

  it('compares only with the main branch in CI', async () => {
    const main = { CI: 'true', GITHUB_REF_NAME: 'main', GITHUB_SHA: 'a' }
    expect((await run(main)).code).toBe(0)
    const branch = { CI: 'true', GITHUB_HEAD_REF: 'poems', GITHUB_SHA: 'b', INSTRUCTION }
    for (const attempt of ['first', 'second']) {
      const { code, stderr } = await run(branch)
      expect({ attempt, code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('names-it was 1, is 0'),
      })
    }
    const other = await run({ ...main, GITHUB_SHA: 'c' })
    expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining('compared with capitals - main - a') })
  })

  it('passes without keys, with a line that nothing is sent', async () => {
    const { OPENAI_BASE_URL = '', OPENAI_API_KEY = '' } = service.env
    const ended = await run({}, { OPENAI_BASE_URL, OPENAI_API_KEY })
    expect(ended.code).toBe(0)
    expect(ended.stderr).toContain('experiments run locally and nothing is sent')
  })

  it('has the same command and summary path in its CI file and its README', async () => {
    const workflow = readFileSync(`${folder}.github/workflows/evals.yml`, 'utf8')
    const { scripts } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
    expect(Object.keys(scripts)).toEqual(args.slice(1))
    expect(workflow).toContain(`run: npm run ${args[1]}\n`)
    expect(workflow).toMatch(/SVC_EXPERIMENT_SUMMARY_DIR: evals\n[\s\S]*cat evals\/\*\.md/)
    expect(readFileSync(`${folder}capitals.eval.js`, 'utf8')).toContain("svcExperiment('capitals'")
  })
})
