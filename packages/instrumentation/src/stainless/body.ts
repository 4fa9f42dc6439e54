import { type Fields, isObject } from '../calls/read.ts'

/**
 * The fields of a request. Where files go along it is a form, of which only the texts are read; older libraries have it
 * encoded by then, and tell the model beside it.
 */
export function bodyOf({ body, __metadata }: Fields): unknown {
  if (body instanceof FormData) return Object.fromEntries([...body].filter(([, value]) => typeof value === 'string'))
  return isObject(__metadata) && isObject(body) && !isPlain(body) ? { model: __metadata.model } : body
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}
