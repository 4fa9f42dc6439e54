const PARTIES = Number(process.env.PARTIES ?? 1)
const waiting = new Map<string, (() => void)[]>()

/**
 * Resolves for all who came to this place once PARTIES have come: nobody is early, nobody needs a clock. They are let
 * go by whoever came last, so a context that follows the wrong path ends up with the wrong user.
 */
export function meet(place: string): Promise<void> {
  const here = waiting.get(place) ?? []
  waiting.set(place, here)
  const met = new Promise<void>((resolve) => {
    here.push(resolve)
  })
  if (here.length === PARTIES) {
    waiting.delete(place)
    for (const go of here) go()
  }
  return met
}
