import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { readmeOf, timeless } from './readme.ts'

const { folder, args, trace: promised } = readmeOf('run-an-experiment')

/** A report without what differs from run to run: ids and ports. */
const lasting = (report: string) =>
  timeless(report)
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
    .replaceAll(/datasets\/[0-9a-f-]{36}/g, 'datasets/<dataset id>')
    .replaceAll(/baseline=[0-9a-f]{16}/g, 'baseline=<experiment id>')

describe('examples/run-an-experiment', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const run = (...model: string[]) => runNode([...args, ...model], { cwd: folder, env: service.env })
  const read = async (path: string) => {
    const authorization = `Basic ${btoa(`${service.local.publicKey}:${service.local.secretKey}`)}`
    const response = await fetch(`${service.local.url}/api/public${path}`, { headers: { authorization } })
    const { data } = (await response.json()) as { data: { name: string }[] }
    return data
  }

  it('prints the report shown at the end of its README', async () => {
    const ended = await run()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(lasting(ended.stdout)).toBe(lasting(promised))
  })

  it('adds to the same experiment when started again, without duplicate items', async () => {
    await run()
    expect(await read('/dataset-items?datasetName=capitals')).toHaveLength(3)
    expect(await read('/experiments?fromStartTime=2020-01-01T00:00:00Z')).toMatchObject([{ name: 'gpt-4.1-mini' }])
  })

  it('creates another experiment with another model, and fails if that is worse', async () => {
    const ended = await run('error-400')
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('Items: 3 (3 failed)')
    expect(ended.stderr).toContain('RegressionError: The experiment is worse than allowed: share-right is 0')
    const experiments = await read('/experiments?fromStartTime=2020-01-01T00:00:00Z')
    expect(experiments.map(({ name }) => name).sort()).toEqual(['error-400', 'gpt-4.1-mini'])
  })
})
