import { go } from './router.ts'

const KEY = 'svc-compare'

/** Names a trace, or one of its observations, in the URL of `/compare`. */
export const subjectOf = (traceId: string, observation?: string): string =>
  observation === undefined ? traceId : `${traceId}:${observation}`

/** Marks the first of two; with the second one, shows both side by side. @returns what to say about it. */
export function compare(subject: string): string | undefined {
  const first = sessionStorage.getItem(KEY)
  if (first === null || first === subject) {
    sessionStorage.setItem(KEY, subject)
    return 'Marked: press c on another one to compare'
  }
  sessionStorage.removeItem(KEY)
  go(`/compare?${new URLSearchParams({ a: first, b: subject })}`)
  return undefined
}
