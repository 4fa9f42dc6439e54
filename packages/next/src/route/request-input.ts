import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { contentMaxBytes } from '@svc/core/content-limit'
import { inputOf } from '../input.ts'

type Tell = (input: string | undefined) => void

/** Tells what the body of a request says: of a short text a copy, of anything else what the handler reads. */
export function watchInput(request: Request, tell: Tell): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const record = (body: unknown) => attempt('record the body of a request', () => tell(boundedText(inputOf(body))))
  const copy = attempt('copy a request', () => (isShortText(request.headers) ? request.clone() : undefined))
  if (copy) readCopy(copy).then(record, () => {})
  else watchReads(request, record)
}

const FORM = 'application/x-www-form-urlencoded'
const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?json|application\/x-www-form-urlencoded)/i

/** Whether no more is held twice than may be recorded. Whoever sends a long body would decide how much that is. */
function isShortText(headers: Headers): boolean {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  const isText = TEXT.test(headers.get('content-type') ?? '') && !headers.has('content-encoding')
  return isText && length > 0 && length <= contentMaxBytes()
}

function readCopy(copy: Request): Promise<unknown> {
  return copy.headers.get('content-type')?.startsWith(FORM) ? copy.formData() : copy.text()
}

const READS = ['json', 'text', 'formData'] as const

/** Tells what is read of a body, when it is read: nothing is read ahead, copied or read twice. */
function watchReads(request: Request, tell: (body: unknown) => void): void {
  for (const name of READS) {
    attempt('watch the body of a request', () => {
      const read = request[name] as () => Promise<unknown>
      const value = (): Promise<unknown> => {
        const reading = read.call(request)
        // A branch of its own: what the handler gets rejects as before, handled or not.
        reading.then(tell, () => {})
        return reading
      }
      Object.defineProperty(request, name, { value, writable: true, configurable: true })
    })
  }
}
