import { type Answer, json } from '../http/answer.ts'

export const getObservations = (): Answer => json(200, { data: [], meta: {} })
