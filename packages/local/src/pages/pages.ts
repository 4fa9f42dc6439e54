import type { Answer } from '../http/answer.ts'

export const showTraces = (): Answer => ({ status: 200, body: '' })
export const showTrace = (): Answer => ({ status: 200, body: '' })
