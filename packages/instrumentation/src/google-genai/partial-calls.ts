import { ownFields } from '@svc/core/own'
import type { TextBudget } from '../gen-ai/buffers.ts'
import { asArray, asRecord, asString, type Fields, isObject } from '../gen-ai/read.ts'

// Vertex AI streams the arguments of a function in pieces if it is asked to (`streamFunctionCallArguments`): the first
// part has the name, later ones have pieces of values with their JSON paths, and the last one may be empty.

/** Most entries of a list among the arguments. */
const INDEX_LIMIT = 1_000
const STEPS = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g

/** Whether a part goes on with the call of the part before. */
export function continuesCall({ functionCall: before }: Fields, { functionCall: call }: Fields): boolean {
  return isObject(before) && isObject(call) && call.name === undefined && call.id === undefined
}

/** The arguments of one call. */
export class PartialCall {
  readonly #budget: TextBudget
  #whole: Fields = {}
  readonly #pieced: Record<string, unknown> = ownFields({})

  constructor(budget: TextBudget) {
    this.#budget = budget
  }

  add({ functionCall }: Fields): void {
    const { args, partialArgs } = asRecord(functionCall)
    if (isObject(args)) this.#whole = { ...this.#whole, ...args }
    for (const piece of asArray(partialArgs)) this.#addPiece(asRecord(piece))
  }

  /** Returns the call of the first part with all arguments. */
  withArguments({ functionCall, ...part }: Fields): Fields {
    const { partialArgs: _, ...call } = asRecord(functionCall)
    const args = { ...this.#whole, ...this.#pieced }
    return { ...part, functionCall: Object.keys(args).length > 0 ? { ...call, args } : call }
  }

  #addPiece({ jsonPath, stringValue, numberValue, boolValue, nullValue }: Fields): void {
    const path = [...(asString(jsonPath) ?? '').matchAll(STEPS)].map(([, name, index, quoted, double]) =>
      index === undefined ? (name ?? quoted ?? double ?? '') : Number(index),
    )
    const last = path.pop()
    if (last === undefined) return
    let owner: Record<string | number, unknown> = this.#pieced
    for (const [at, step] of path.entries()) {
      if (!isAllowed(owner, step)) return
      const next = path[at + 1] ?? last
      if (!isObject(owner[step])) owner[step] = typeof next === 'number' ? [] : ownFields({})
      owner = owner[step] as Record<string | number, unknown>
    }
    if (!isAllowed(owner, last)) return
    const text = asString(stringValue)
    if (text === undefined) owner[last] = nullValue === undefined ? (numberValue ?? boolValue) : null
    else owner[last] = (asString(owner[last]) ?? '') + this.#accept(text)
  }

  #accept(text: string): string {
    const accepted = text.slice(0, this.#budget.remaining)
    this.#budget.remaining -= accepted.length
    return accepted
  }
}

function isAllowed(owner: object, step: string | number): boolean {
  // Names of a list are `length` and the like.
  return typeof step === 'number' ? step < INDEX_LIMIT : !Array.isArray(owner) && step !== '__proto__'
}
