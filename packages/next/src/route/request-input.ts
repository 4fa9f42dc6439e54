import { attempt } from '@svc/core/attempt'
import { boundedText } from '@svc/core/bounded-json'
import { inputOf } from '../input.ts'

const READS = ['json', 'text', 'formData'] as const

/**
 * Tells what the handler reads of the request body, when it reads it: nothing is read ahead, copied or read twice.
 */
export function watchInput(request: Request, tell: (input: string | undefined) => void): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  for (const name of READS) {
    attempt('watch the body of a request', () => {
      const read = request[name] as () => Promise<unknown>
      const value = (): Promise<unknown> => {
        const reading = read.call(request)
        // A branch of its own: what the handler gets rejects as before, handled or not.
        reading.then(
          (body) => attempt('record the body of a request', () => tell(boundedText(inputOf(body)))),
          () => {},
        )
        return reading
      }
      Object.defineProperty(request, name, { value, writable: true, configurable: true })
    })
  }
}
