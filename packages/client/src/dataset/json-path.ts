import { foreignText } from '@svc/core/foreign-text'

const INDEX = /^\[(\d+)\]/

/**
 * Returns a copy of `value` with `leaf` at `path`. Values beside the path are not copied.
 *
 * @param path `$`, then `['key']` or `[0]` for each step. The service does not escape quotes and brackets in keys, so
 * the value is needed to find their end
 * @throws {Error} if `value` has no such path
 */
export function withValueAt(value: unknown, path: string, leaf: unknown): unknown {
  const found = path.startsWith('$') ? replaced(value, path.slice(1), leaf) : undefined
  if (!found) throw new Error(`${foreignText(path)} does not exist`)
  return found.value
}

function replaced(value: unknown, path: string, leaf: unknown): { readonly value: unknown } | undefined {
  if (path === '') return { value: leaf }
  const [step, index] = INDEX.exec(path) ?? []
  if (step !== undefined) {
    const at = Number(index)
    if (!Array.isArray(value) || at >= value.length) return undefined
    const found = replaced(value[at], path.slice(step.length), leaf)
    return found && { value: value.with(at, found.value) }
  }
  if (!path.startsWith("['") || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  for (let end = path.indexOf("']", 2); end >= 0; end = path.indexOf("']", end + 1)) {
    const key = path.slice(2, end)
    // Own keys only, because a path must not reach a prototype.
    if (!Object.hasOwn(value, key)) continue
    const found = replaced((value as Readonly<Record<string, unknown>>)[key], path.slice(end + 2), leaf)
    if (found) return { value: { ...value, [key]: found.value } }
  }
  return undefined
}
