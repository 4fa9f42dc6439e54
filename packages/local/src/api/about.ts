import { VERSION } from '@svc/core/version'
import { type Answer, json } from '../http/answer.ts'

/** The one project of this service. */
export const PROJECT = {
  id: 'svc-local',
  name: 'local',
  organization: { id: 'svc-local', name: 'local' },
}

export const getHealth = (): Answer => json(200, { status: 'OK', version: VERSION })
