import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SvcClient } from '@svc/client'
import { startLocal } from '@svc/local'
import { beforeEach, describe, expect, it } from 'vitest'
import { isoDate, missing, refusal, refused, useBench } from './api-support.ts'

const bench = useBench()
let api: SvcClient['api']
beforeEach(() => {
  api = bench.client().api
})

describe('a project in the API', () => {
  it('is created, changed, listed after the one of the keys, and deleted', async () => {
    const created = await api.projects.create({ name: 'second', metadata: { team: 'a' }, retention: 30 })
    const organization = { id: 'svc-local', name: 'local' }
    const second = { id: created.id, name: 'second', metadata: { team: 'a' }, retentionDays: 30, organization }
    expect(created).toEqual(second)
    const own = { id: 'svc-local', name: 'local', metadata: {}, organization }
    expect(await api.projects.get()).toEqual({ data: [own, second] })
    const renamed = await api.projects.update(created.id, { name: 'renamed' })
    expect(renamed).toEqual({ ...second, name: 'renamed' })
    expect(await api.projects.delete(created.id)).toMatchObject({ success: true })
    expect(await api.projects.get()).toEqual({ data: [own] })
  })

  it('has keys, which give access only to their project', async () => {
    const { publicKey, secretKey } = bench.local
    const started = { id: 'started', publicKey, displaySecretKey: `…${secretKey.slice(-4)}`, createdAt: isoDate }
    const made = await api.projects.createApiKey('svc-local', { note: 'for the test' })
    const { secretKey: shownSecret, ...summary } = made
    expect(summary).toEqual({
      id: expect.any(String),
      publicKey: expect.stringMatching(/^pk-svc-/),
      displaySecretKey: `…${shownSecret.slice(-4)}`,
      note: 'for the test',
      createdAt: isoDate,
    })
    expect(await api.projects.getApiKeys('svc-local')).toEqual({ apiKeys: [started, summary] })
    const withKeys = (keys: { publicKey: string; secretKey: string }) => bench.client(keys).api.projects.get()
    expect((await withKeys(made)).data).toHaveLength(1)
    expect((await refusal(withKeys({ ...made, secretKey: 'sk-wrong' }))).status).toBe(401)
    expect(await api.projects.deleteApiKey('svc-local', made.id)).toEqual({ success: true })
    expect((await refusal(withKeys(made))).status).toBe(401)
    const other = await api.projects.create({ name: 'empty', retention: 0 })
    const foreign = await api.projects.createApiKey(other.id, { publicKey: 'pk-own', secretKey: 'sk-own' })
    expect(await refusal(withKeys(foreign))).toMatchObject({
      status: 403,
      text: expect.stringContaining('one project'),
    })
    await api.projects.delete(other.id)
    expect((await refusal(withKeys(foreign))).status).toBe(401)
  })

  it('is refused if it is unknown, has a duplicate name, or is the one with the data', async () => {
    const create = (name: string, retention = 0) => api.projects.create({ name, retention })
    expect(await refusal(api.projects.update('none', { name: 'n' }))).toEqual(missing('none'))
    expect(await refusal(create('local'))).toEqual(refused('another project has this name'))
    expect(await refusal(create('short', 1))).toEqual(refused('expected 0 or at least 3 days'))
    expect(await refusal(api.projects.delete('svc-local'))).toEqual(refused('cannot be deleted'))
    expect(await refusal(api.projects.deleteApiKey('svc-local', 'started'))).toEqual(refused('stay'))
    expect(await refusal(api.projects.deleteApiKey('svc-local', 'none'))).toEqual(missing('none'))
    const half = { publicKey: 'pk-half' }
    expect(await refusal(api.projects.createApiKey('svc-local', half))).toEqual(refused('send publicKey and secretKey'))
    const own = { publicKey: bench.local.publicKey, secretKey: 's' }
    expect(await refusal(api.projects.createApiKey('svc-local', own))).toEqual(refused('with this public key already'))
  })
})

it('a database file keeps models, configs, comments, queues and projects', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kept-'))
  const db = join(folder, 'kept.db')
  const first = await startLocal({ db })
  const clientOf = ({ publicKey, secretKey, url }: typeof first) =>
    new SvcClient({ publicKey, secretKey, baseUrl: url }).api
  const before = clientOf(first)
  const model = await before.models.create({ modelName: 'm', matchPattern: 'm', inputPrice: 1 })
  const config = await before.scoreConfigs.create({ name: 'c', dataType: 'TEXT' })
  const { id } = await before.comments.create({
    projectId: 'svc-local',
    objectType: 'PROMPT',
    objectId: 'p',
    content: 'c',
  })
  const queue = await before.annotationQueues.createQueue({ name: 'q', scoreConfigIds: [config.id] })
  const project = await before.projects.create({ name: 'p', retention: 0 })
  await first.close()
  const second = await startLocal({ db })
  const after = clientOf(second)
  expect(await after.models.get(model.id)).toEqual(model)
  expect(await after.scoreConfigs.getById(config.id)).toEqual(config)
  expect(await after.comments.getById(id)).toMatchObject({ content: 'c' })
  expect(await after.annotationQueues.getQueue(queue.id)).toEqual(queue)
  expect((await after.projects.get()).data[1]).toEqual(project)
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})
