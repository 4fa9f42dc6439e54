import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Answer, badRequest, json, notFound } from '../../http/answer.ts'
import { hashOf, randomKeys } from '../../http/auth.ts'
import { name, optional, readFields, text } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { Service, WriteService } from '../../service.ts'
import type { StoredApiKey } from '../../store/project.ts'
import { PROJECT } from '../about.ts'
import { jsonBody } from '../body.ts'
import { isoDate } from '../known.ts'
import { projectOf } from './projects.ts'

/** A key goes into `Authorization: Basic`, where a colon parts the two. */
const key = v.pipe(name, v.regex(/^[\w.-]+$/, 'expected letters, digits, dots, hyphens and underscores'))

const FIELDS = { note: optional(text), publicKey: optional(key), secretKey: optional(key) }

/** Id of the keys that the service was started with. */
const STARTED = 'started'

/** `GET /api/public/projects/{projectId}/apiKeys` */
export function getApiKeys({ params }: Call, { store, keys, startedAt }: Service): Answer {
  const { id } = projectOf(params.projectId ?? '', store)
  const started = {
    id: STARTED,
    createdAt: isoDate(startedAt),
    publicKey: keys.publicKey,
    displaySecretKey: displayed(keys.secretKey),
  }
  const created = store.apiKeys.find({ sql: 'WHERE projectId = ? ORDER BY seq', values: [id] }).map(summary)
  return json(200, { apiKeys: id === PROJECT.id ? [started, ...created] : created })
}

/** `POST /api/public/projects/{projectId}/apiKeys`: keys that are random, or those of the request. */
export async function createApiKey(call: Call, { store, keys }: WriteService): Promise<Answer> {
  const { note, publicKey, secretKey } = readFields(await jsonBody(call), FIELDS)
  if ((publicKey === undefined) !== (secretKey === undefined)) {
    throw badRequest([{ path: [], message: 'send publicKey and secretKey together, or neither' }])
  }
  const pair = publicKey !== undefined && secretKey !== undefined ? { publicKey, secretKey } : randomKeys()
  const created = store.write(() => {
    const { id: projectId } = projectOf(call.params.projectId ?? '', store)
    if (pair.publicKey === keys.publicKey || store.apiKeys.one({ publicKey: pair.publicKey })) {
      throw badRequest([{ path: ['publicKey'], message: 'there are keys with this public key already' }])
    }
    const row: StoredApiKey = {
      id: randomUUID(),
      projectId,
      publicKey: pair.publicKey,
      secretHash: hashOf(pair.secretKey),
      displaySecretKey: displayed(pair.secretKey),
      note: note ?? null,
      createdAt: Date.now(),
    }
    store.apiKeys.put(row)
    return row
  })
  return json(201, { ...summary(created), secretKey: pair.secretKey })
}

/** `DELETE /api/public/projects/{projectId}/apiKeys/{apiKeyId}` */
export function deleteApiKey({ params }: Call, { store }: WriteService): Answer {
  const { projectId = '', apiKeyId = '' } = params
  const project = projectOf(projectId, store)
  if (project.id === PROJECT.id && apiKeyId === STARTED) {
    throw badRequest([{ path: ['apiKeyId'], message: 'the keys that the service was started with stay' }])
  }
  const values = [project.id, apiKeyId]
  const removed = store.write(() => store.apiKeys.remove({ sql: 'WHERE projectId = ? AND id = ?', values }))
  if (removed === 0) throw notFound(`API key not found: '${apiKeyId}'`)
  return json(200, { success: true })
}

const displayed = (secretKey: string): string => `…${secretKey.slice(-4)}`

/** `ApiKeySummary` (appendix A). */
function summary({ id, publicKey, displaySecretKey, note, createdAt }: StoredApiKey) {
  return { id, createdAt: isoDate(createdAt), publicKey, displaySecretKey, ...(note === null ? {} : { note }) }
}
