let lookingUp = false

/**
 * Does work that looks a configuration up before it calls back: for every chunk of a stream LangChain makes a manager
 * of callbacks only to ask whose run it is, and calls none of them.
 *
 * @param work takes what it calls back
 */
export function whileLookingUp(work: (callback: () => unknown) => unknown, callback: () => unknown): unknown {
  lookingUp = true
  try {
    return work(() => {
      lookingUp = false
      return callback()
    })
  } finally {
    lookingUp = false
  }
}

/** Whether what is configured now is only looked up. */
export function isLookedUp(): boolean {
  return lookingUp
}
