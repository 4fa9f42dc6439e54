let underWay = 0
const waiting = new Set<() => void>()

/** A root was opened. */
export function requestOpened(): void {
  underWay += 1
}

/** A root was closed. */
export function requestClosed(): void {
  underWay -= 1
  if (underWay > 0) return
  for (const go of waiting) go()
  waiting.clear()
}

/** Resolves when no request is under way, for tests: a client has its answer a moment before the server knows. */
export function requestsEnded(longestMs: number): Promise<void> {
  if (underWay === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestMs)
    waiting.add(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
