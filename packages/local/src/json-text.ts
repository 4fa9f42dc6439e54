// JSON.parse reads any depth, but whoever writes the value again (an answer, a page) recurses.
const MAX_DEPTH = 500

/** The value of JSON text; the text itself when it is not JSON or nested too deep to be written again. */
export function decoded(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// Brackets inside strings are counted too: that can only overestimate, and then the text stays text.
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    if (depth > deepest) deepest = depth
  }
  return deepest
}
