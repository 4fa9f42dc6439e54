import { badRequest, Refusal } from '../http/answer.ts'
import type { BodyLimits } from '../http/body.ts'
import type { Call } from '../http/router.ts'
import { isTooDeep } from '../json-text.ts'

const MEBIBYTE = 1024 * 1024
/** Most that a JSON body may have (contract 5.1). */
export const JSON_LIMITS: BodyLimits = { wire: 4.5 * MEBIBYTE, decoded: 4.5 * MEBIBYTE }

/** The JSON of a request. @throws Refusal 400 when it is none, or nested too deep to be written again; 413. */
export async function jsonBody(call: Call): Promise<unknown> {
  const text = (await call.body(JSON_LIMITS)).toString('utf8')
  if (isTooDeep(text)) throw new Refusal(400, 'The JSON of the body is nested too deep')
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw badRequest([{ path: [], message: `the body is not JSON: ${why}` }])
  }
}
