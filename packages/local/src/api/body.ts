import { badRequest, Refusal } from '../http/answer.ts'
import type { BodyLimits } from '../http/body.ts'
import type { Call } from '../http/router.ts'
import { isTooDeep, isTooMuch, MAX_VALUES, measured } from '../json-text.ts'

const MEBIBYTE = 1024 * 1024
/** Most that a JSON body may have (contract 5.1). */
export const JSON_LIMITS: BodyLimits = { wire: 4.5 * MEBIBYTE, decoded: 4.5 * MEBIBYTE }

/** The JSON of a request, as `parse` reads it. @throws Refusal 400 when it is none; see {@link jsonText} */
export async function jsonBody(
  call: Call,
  limits = JSON_LIMITS,
  parse: (text: string) => unknown = JSON.parse,
): Promise<unknown> {
  const text = await jsonText(call, limits)
  try {
    return parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw badRequest([{ path: [], message: `the body is not JSON: ${why}` }])
  }
}

/**
 * The text of a request whose JSON can be built.
 *
 * @throws Refusal 400 for one that is nested too deep to be written again; 413 for a large one
 */
export async function jsonText(call: Call, limits = JSON_LIMITS): Promise<string> {
  const text = (await call.body(limits)).toString('utf8')
  const size = measured(text)
  if (isTooDeep(size)) throw new Refusal(400, 'The JSON of the body is nested too deep')
  if (isTooMuch(size))
    throw new Refusal(413, `The JSON of the body has more than ${MAX_VALUES} values`, 'Payload Too Large')
  return text
}
