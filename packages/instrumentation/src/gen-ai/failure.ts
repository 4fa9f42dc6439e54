import { asName, asNumber, type Fields } from './read.ts'

/** Describes an error in an otherwise successful response. */
export function describeResponseFailure({ code, message }: Fields): { type: string; message: string } {
  return {
    type: asName(code) ?? asNumber(code)?.toString() ?? 'failed',
    message: asName(message) ?? 'the response failed',
  }
}
