import { type Fields, nameOf, numberOf } from '../calls/read.ts'

/** An error that an answer speaks of, though the request itself went well. */
export function failureOf({ code, message }: Fields): { type: string; message: string } {
  return {
    type: nameOf(code) ?? numberOf(code)?.toString() ?? 'failed',
    message: nameOf(message) ?? 'the response failed',
  }
}
