import type { Attributes, Value } from '../../store/received.ts'
import type { IoSource } from './io.ts'
import { isEmpty } from './read.ts'

/** More array slots than that are noise, or an attack: `x.4000000000.role`. */
const MAX_SLOTS = 10_001
const MAX_SEGMENTS = 32

/**
 * Messages spread over many keys (`llm.input_messages.0.message.role`), put together again. A half that has none is an
 * empty object where the other one has some.
 */
export function dotted(inputKey: string, outputKey: string): IoSource {
  return ({ attributes }) => {
    const [input, output] = [rebuilt(attributes, inputKey), rebuilt(attributes, outputKey)]
    return input === undefined && output === undefined ? undefined : { input: input ?? {}, output: output ?? {} }
  }
}

function rebuilt(attributes: Attributes, key: string): Value | undefined {
  if (!isEmpty(attributes[key])) return attributes[key]
  const root: Branch = new Map()
  for (const name of Object.keys(attributes)) {
    if (name.startsWith(`${key}.`)) put(root, name.slice(key.length + 1).split('.'), attributes[name] ?? null)
  }
  return root.size > 0 ? plain(root) : undefined
}

type Branch = Map<string, Branch | { leaf: Value }>

function put(root: Branch, path: readonly string[], value: Value): void {
  if (path.length > MAX_SEGMENTS) return
  let branch = root
  for (const segment of path.slice(0, -1)) {
    const next = branch.get(segment)
    if (next instanceof Map) branch = next
    else {
      const grown: Branch = new Map()
      branch.set(segment, grown)
      branch = grown
    }
  }
  const last = path.at(-1) ?? ''
  if (!branch.has(last)) branch.set(last, { leaf: value })
}

// A branch whose segments are all numbers is an array; holes are closed, order is kept.
function plain(node: Branch | { leaf: Value }): Value {
  if (!(node instanceof Map)) return node.leaf
  const entries = [...node]
  if (!entries.every(([segment]) => /^\d+$/.test(segment))) {
    return Object.fromEntries(entries.map(([segment, child]) => [segment, plain(child)]))
  }
  return entries
    .map(([segment, child]) => [Number(segment), child] as const)
    .filter(([slot]) => slot < MAX_SLOTS)
    .sort(([a], [b]) => a - b)
    .map(([, child]) => plain(child))
}
