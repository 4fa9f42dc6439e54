/** One step into a value: a key of an object or an index of an array. */
type Step = string | number

const STEP = /\[(?:(\d+)|'((?:[^'\\]|\\.)*)')\]/y

/**
 * Reads a JSONPath as the service writes it: `$`, then `['key']` or `[0]` for each step.
 *
 * @returns undefined for anything else
 */
export function parseJsonPath(path: string): Step[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: Step[] = []
  STEP.lastIndex = 1
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path)
    if (!found) return undefined
    const [, index, key = ''] = found
    steps.push(index === undefined ? key.replaceAll(/\\(.)/g, '$1') : Number(index))
  }
  return steps
}

/**
 * A copy of `value` with `leaf` at `path`. Only what lies on the path is copied.
 *
 * @throws {Error} when the path is none, or does not lead anywhere in `value`
 */
export function withValueAt(value: unknown, path: string, leaf: unknown): unknown {
  const steps = parseJsonPath(path)
  if (!steps) throw new Error(`${path} is no path`)
  return replaced(value, steps, leaf, path)
}

function replaced(value: unknown, [step, ...rest]: readonly Step[], leaf: unknown, path: string): unknown {
  if (step === undefined) return leaf
  if (typeof step === 'number' && Array.isArray(value) && step < value.length) {
    return value.with(step, replaced(value[step], rest, leaf, path))
  }
  // Own keys only: a path must not reach a prototype.
  if (typeof step === 'string' && isObject(value) && Object.hasOwn(value, step)) {
    return { ...value, [step]: replaced(value[step], rest, leaf, path) }
  }
  throw new Error(`${path} does not lead anywhere`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
