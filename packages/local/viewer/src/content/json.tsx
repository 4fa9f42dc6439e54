import { useState } from 'preact/hooks'
import { findNumberText } from '../../../src/exact-json.ts'
import { isShown, MediaUrl } from './media.tsx'

/** Children that are shown at once, characters of a text, and how deep a tree is open. */
const CHILDREN = 100
const TEXT = 2_000
const OPEN_DEPTH = 3

/** Any JSON value as a tree that opens and closes. */
export function Json({ value, depth = 0, name }: { value: unknown; depth?: number; name?: string }) {
  if (typeof value !== 'object' || value === null || findNumberText(value) !== undefined) {
    return (
      <div class="json-line">
        {name !== undefined && <Name text={name} />}
        <Leaf value={value} />
      </div>
    )
  }
  return <Branch value={value} depth={depth} {...(name === undefined ? {} : { name })} />
}

function Branch({ value, depth, name }: { value: object; depth: number; name?: string }) {
  const entries = Object.entries(value)
  const list = Array.isArray(value)
  const isShort = depth < OPEN_DEPTH && entries.length <= CHILDREN
  const [open, setOpen] = useState(isShort)
  const [shown, setShown] = useState(CHILDREN)
  const [before, after] = list ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) {
    return (
      <div class="json-line">
        {name !== undefined && <Name text={name} />}
        <span class="dim">{before + after}</span>
      </div>
    )
  }
  // The outermost object needs no brace of its own.
  if (name === undefined && isShort && !list) {
    return entries.map(([key, item]) => <Json key={key} name={key} value={item} depth={depth + 1} />)
  }
  return (
    <div class="json">
      <button type="button" class="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="arrow">{open ? '▾' : '▸'}</span>
        {name !== undefined && <Name text={name} />}
        <span class="dim">
          {list
            ? `[${entries.length}]`
            : open
              ? ''
              : `{${entries
                  .slice(0, 4)
                  .map(([key]) => key)
                  .join(', ')}${entries.length > 4 ? ', …' : ''}}`}
        </span>
      </button>
      {open && (
        <div class="json-inside">
          {entries.slice(0, shown).map(([key, item]) => (
            <Json key={key} name={key} value={item} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="quiet" onClick={() => setShown(shown + 10 * CHILDREN)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  )
}

const Name = ({ text }: { text: string }) => <span class="json-name">{text}</span>

function Leaf({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false)
  const number = findNumberText(value)
  if (number !== undefined) return <span class="json-number">{number}</span>
  if (typeof value !== 'string') return <span class={`json-${typeof value}`}>{String(value)}</span>
  if (isShown(value)) return <MediaUrl url={value} />
  if (value.length <= TEXT || whole) return <span class="json-string">{value}</span>
  return (
    <span class="json-string">
      {value.slice(0, TEXT)}…{' '}
      <button type="button" class="quiet" onClick={() => setWhole(true)}>
        {value.length - TEXT} more characters
      </button>
    </span>
  )
}
