import type { ComponentChildren } from 'preact'
import { usePageLocation, withQuery } from './router.ts'

/** A page of a listing of the API: numbered, or with the cursor of the next one. */
export interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly totalItems: number; readonly totalPages: number; readonly cursor?: string }
}

/** Returns the number of the page in the URL: 1 for the first. */
export const usePage = () => Math.max(1, Number(usePageLocation().query.get('page')) || 1)

/** Links to the pages before and after one. @param words of the two links */
export function Pager({ page, more, words }: { page: number; more: boolean | undefined; words: [string, string] }) {
  const to = (number: number) => withQuery({ page: number === 1 ? undefined : String(number) })
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && <a href={to(page - 1)}>{words[0]}</a>}
      {more && <a href={to(page + 1)}>{words[1]}</a>}
    </nav>
  )
}

export function CursorPager({ cursor, word }: { cursor: string | undefined; word: string }) {
  return (
    <nav class="pager" aria-label="Pages">
      {cursor !== undefined && <a href={withQuery({ cursor })}>{word}</a>}
    </nav>
  )
}

/** The title of something in a list, with the way back to it. */
export function Within({ list, href, children }: { list: string; href: string; children: ComponentChildren }) {
  return (
    <>
      <a href={href} class="dim">
        {list}
      </a>{' '}
      <span class="dim">/</span> {children}
    </>
  )
}
