import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml'
import { Mistake } from '../mistake.ts'

/** Of YAML; the time of the parser grows faster than its text. A text prompt stands outside of it. */
const MOST_CHARACTERS = 524_288
const NEEDS_QUOTES = 'text that starts with { needs quotes or a block |-'

/** YAML in a file, with positions for error messages. */
export class YamlFields {
  readonly #file: string
  readonly #lines = new LineCounter()
  readonly #linesBefore: number
  readonly #document: Document.Parsed
  readonly source: string

  /**
   * @param linesBefore lines of the file above `source`
   * @throws {Mistake} if it is not YAML, or not a map
   */
  constructor(source: string, { file, linesBefore }: { readonly file: string; readonly linesBefore: number }) {
    this.#file = file
    this.#linesBefore = linesBefore
    this.source = source
    if (source.length > MOST_CHARACTERS) throw this.mistakeAt(0, 'the YAML has more than 512 kB')
    // The parser compares each key with each other one.
    const options = { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: false }
    this.#document = parseDocument(source, options)
    const [wrong] = [...this.#document.errors, ...this.#document.warnings]
    if (wrong) throw this.mistakeAt(wrong.pos[0], wrong.message.split('\n', 1)[0] ?? 'no YAML')
    if (!isMap(this.#document.contents)) throw this.mistakeAt(0, 'expected fields, as in name: movie-critic')
    visit(this.#document, {
      Map: (_, map) => {
        const seen = new Set<unknown>()
        for (const { key } of map.items) {
          const name = isScalar(key) ? String(key.value) : key
          if (seen.has(name)) throw this.mistake(key as Node, 'Map keys must be unique')
          seen.add(name)
        }
      },
      Pair: (_, { key }) => {
        if (!isScalar(key)) throw this.mistake(key as Node, `expected a name before the colon: ${NEEDS_QUOTES}`)
      },
    })
  }

  /** @throws {Mistake} at the first field that is not among `known` */
  expectOnly(known: readonly string[], node?: Node): void {
    for (const { key } of this.#pairs(node)) {
      const name = String((key as { value: unknown }).value)
      if (!known.includes(name)) throw this.mistake(key, `unknown field ${name}: expected ${known.join(', ')}`)
    }
  }

  /** Returns the value of a field of the file, or of `node`. */
  field(name: string, node?: Node): Node | undefined {
    return this.#pairs(node).find(({ key }) => isScalar(key) && key.value === name)?.value ?? undefined
  }

  /** @throws {Mistake} where it is something else */
  text(name: string, node: Node): string {
    if (isScalar(node) && typeof node.value === 'string') return node.value
    const remedy = isMap(node) ? `: ${NEEDS_QUOTES}` : isScalar(node) && node.value !== null ? ' in quotes' : ''
    throw this.mistake(node, `${name}: expected a string${remedy}`)
  }

  /** @throws {Mistake} where it is something else */
  list(name: string, node: Node): readonly Node[] {
    if (isSeq(node)) return node.items as Node[]
    throw this.mistake(node, `${name}: expected a list`)
  }

  /** Returns the value of a node. @throws {Mistake} if JSON cannot represent it */
  json(node: Node): unknown {
    visit(node, {
      Scalar: (_, each) => {
        const { value } = each
        const isFit = typeof value === 'number' ? Number.isFinite(value) : value === null || typeof value !== 'object'
        if (!isFit) throw this.mistake(each, 'expected a value that JSON can represent')
      },
    })
    const value: unknown = node.toJS(this.#document)
    // Throws for an alias of what it is in.
    JSON.stringify(value)
    return value
  }

  mistake(node: Node | undefined, message: string): Mistake {
    return this.mistakeAt(node?.range?.[0] ?? 0, message)
  }

  /** @param offset offset in `source` */
  mistakeAt(offset: number, message: string): Mistake {
    const { line, col } = this.#lines.linePos(offset)
    return new Mistake(this.#file, { line: Math.max(line, 1) + this.#linesBefore, column: Math.max(col, 1) }, message)
  }

  #pairs(node: Node | null = this.#document.contents): Pair<Node, Node | null>[] {
    return isMap(node) ? (node.items as Pair<Node, Node | null>[]) : []
  }
}
