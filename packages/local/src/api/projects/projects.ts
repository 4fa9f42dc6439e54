import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Answer, badRequest, json, notFound } from '../../http/answer.ts'
import { name, optional, readFields, record, whole } from '../../http/fields.ts'
import type { Call } from '../../http/router.ts'
import type { WriteService } from '../../service.ts'
import type { StoredProject } from '../../store/project.ts'
import type { Store } from '../../store/store.ts'
import { PROJECT } from '../about.ts'
import { jsonBody } from '../body.ts'

const MIN_RETENTION = 3

const retention = v.pipe(
  whole,
  v.check((days) => days === 0 || days >= MIN_RETENTION, `expected 0 or at least ${MIN_RETENTION} days`),
)

/** `GET /api/public/projects`: first the one that the data belongs to. */
export function getProjects(_: Call, { store }: WriteService): Answer {
  const others = store.projects.find().filter(({ id }) => id !== PROJECT.id)
  return json(200, { data: [projectOf(PROJECT.id, store), ...others].map(projectShape) })
}

/** `POST /api/public/projects`. The data stays with the project of the keys that the service was started with. */
export async function createProject(call: Call, { store }: WriteService): Promise<Answer> {
  const fields = readFields(await jsonBody(call), { name, metadata: optional(record), retention })
  const project = {
    id: randomUUID(),
    name: fields.name,
    metadata: fields.metadata ?? {},
    retentionDays: fields.retention,
  }
  store.write(() => putProject(project, store))
  return json(201, projectShape(project))
}

/** `PUT /api/public/projects/{projectId}`: metadata and retention stay when they are left out. */
export async function updateProject(call: Call, { store }: WriteService): Promise<Answer> {
  const shape = { name, metadata: optional(record), retention: optional(retention) }
  const fields = readFields(await jsonBody(call), shape)
  const project = store.write(() => {
    const before = projectOf(call.params.projectId ?? '', store)
    const { metadata = before.metadata, retention: retentionDays = before.retentionDays } = fields
    return putProject({ ...before, name: fields.name, metadata, retentionDays }, store)
  })
  return json(200, projectShape(project))
}

/** `DELETE /api/public/projects/{projectId}`, with its keys. The one that the data belongs to stays. */
export function deleteProject({ params }: Call, { store }: WriteService): Answer {
  const { id } = projectOf(params.projectId ?? '', store)
  if (id === PROJECT.id) {
    throw badRequest([{ path: ['projectId'], message: 'the project that the data belongs to cannot be deleted' }])
  }
  store.write(() => {
    store.projects.remove({ sql: 'WHERE id = ?', values: [id] })
    store.apiKeys.remove({ sql: 'WHERE projectId = ?', values: [id] })
  })
  return json(202, { success: true, message: 'Project deletion has been initiated' })
}

/** A project as it is stored. @throws Refusal 404 */
export function projectOf(id: string, { projects }: Store): StoredProject {
  const stored = projects.one({ id })
  if (stored) return stored
  if (id !== PROJECT.id) throw notFound(`Project not found: '${id}'`)
  return { id, name: PROJECT.name, metadata: {}, retentionDays: 0 }
}

function putProject(project: StoredProject, store: Store): StoredProject {
  const named =
    project.name === PROJECT.name ? projectOf(PROJECT.id, store) : store.projects.one({ name: project.name })
  if (named && named.name === project.name && named.id !== project.id) {
    throw badRequest([{ path: ['name'], message: 'another project has this name' }])
  }
  store.projects.put(project)
  return project
}

/** `Project` (appendix A). */
function projectShape({ retentionDays, ...project }: StoredProject) {
  return { ...project, organization: PROJECT.organization, ...(retentionDays === 0 ? {} : { retentionDays }) }
}
