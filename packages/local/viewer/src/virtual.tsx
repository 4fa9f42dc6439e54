import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'

interface Props {
  readonly count: number
  /** Pixels. */
  readonly rowHeight: number
  readonly label: string
  readonly role?: 'table' | 'tree' | 'list'
  /** The row to keep in sight, whenever it changes. */
  readonly shown?: number | undefined
  readonly header?: ComponentChildren
  readonly row: (index: number, style: Readonly<Record<string, string>>) => ComponentChildren
  readonly onRange?: ((first: number, last: number) => void) | undefined
}

/** Pixels that a header lies over the rows at most. */
const HEADER = 30

/** Rows of one height, of which only those in sight are there. */
export function VirtualRows({ count, rowHeight, label, role, shown, header, row, onRange }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [, again] = useReducer((turn: number) => turn + 1, 0)
  const holder = useRef<Virtualizer<HTMLDivElement, Element>>(undefined)
  const options = {
    count,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingEnd: HEADER,
    getScrollElement: () => box.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => again(0 as never),
  }
  holder.current ??= new Virtualizer<HTMLDivElement, Element>(options)
  const virtualizer = holder.current
  virtualizer.setOptions(options)
  useEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  useEffect(() => {
    if (shown !== undefined && shown >= 0) virtualizer.scrollToIndex(shown, { align: 'auto' })
  }, [virtualizer, shown])
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  return (
    <div
      class="rows"
      ref={box}
      role={role ?? 'list'}
      aria-label={label}
      aria-rowcount={role === 'table' ? count : undefined}
      tabIndex={0}
    >
      {header}
      <div class="rows-all" role="presentation" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {items.map(({ index, start }) => row(index, { transform: `translateY(${start}px)`, height: `${rowHeight}px` }))}
      </div>
    </div>
  )
}
