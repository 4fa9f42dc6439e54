let openCount = 0
const waiting = new Set<() => void>()

/** Called when the root of a request is opened. */
export function requestOpened(): void {
  openCount += 1
}

/** Called when the root of a request is closed. */
export function requestClosed(): void {
  openCount -= 1
  if (openCount > 0) return
  for (const resume of waiting) resume()
  waiting.clear()
}

/** Resolves when no root is open, at the latest after `longestMs`. For tests: a client has the response a moment before
 * the server closes the root. */
export function requestsEnded(longestMs: number): Promise<void> {
  if (openCount === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestMs)
    waiting.add(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
