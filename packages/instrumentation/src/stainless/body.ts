import { asRecord, type Fields } from '../gen-ai/read.ts'

/**
 * Returns the fields of a request. With uploads it is a form, and only its text fields are read; older clients
 * have encoded it by then and pass the model separately.
 */
export function readBody({ body, __metadata }: Fields): unknown {
  if (body instanceof FormData) return Object.fromEntries([...body].filter(([, value]) => typeof value === 'string'))
  const { model } = asRecord(__metadata)
  return model !== undefined && asRecord(body).model === undefined ? { model } : body
}
