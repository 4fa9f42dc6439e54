import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { contentMaxBytes } from '@svc/core/content-limit'
import { inputOf } from '../input.ts'
import { TEXT } from './body-text.ts'

type RecordInput = (input: string | undefined) => void

/** Calls `recordInput` with the body of a request that may have one: a copy of a short text; otherwise what the handler reads. */
export function watchInput(request: Request, recordInput: RecordInput): void {
  const record = (body: unknown) =>
    attempt('record the body of a request', () => recordInput(boundedText(inputOf(body))))
  const copy = attempt('copy a request', () => (isShortText(request.headers) ? request.clone() : undefined))
  if (copy) readCopy(copy).then(record, () => {})
  else watchReads(request, record)
}

const FORM = /^application\/x-www-form-urlencoded/i

/** Returns whether the body is text no longer than may be recorded. Copies of longer ones could fill the memory. */
function isShortText(headers: Headers): boolean {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  const type = headers.get('content-type') ?? ''
  const isText = (TEXT.test(type) || FORM.test(type)) && !headers.has('content-encoding')
  return isText && length > 0 && length <= contentMaxBytes()
}

function readCopy(copy: Request): Promise<unknown> {
  return FORM.test(copy.headers.get('content-type') ?? '') ? copy.formData() : copy.text()
}

const READS = ['json', 'text', 'formData'] as const

/** Calls `record` with what the handler reads of a body, when it reads it. Nothing is read ahead, copied or read twice. */
function watchReads(request: Request, record: (body: unknown) => void): void {
  for (const name of READS) {
    attempt('watch the body of a request', () => {
      const read = request[name] as () => Promise<unknown>
      const value = (): Promise<unknown> => {
        const reading = read.call(request)
        // Not the promise of the handler: that one rejects as before, handled or not.
        reading.then(record, () => {})
        return reading
      }
      Object.defineProperty(request, name, { value, writable: true, configurable: true })
    })
  }
}
