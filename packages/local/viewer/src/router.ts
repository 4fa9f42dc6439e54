import { useEffect, useState } from 'preact/hooks'

/** The location of the page: all of its state that a link can hold. */
export interface PageLocation {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): PageLocation => ({ path: location.pathname, query: new URLSearchParams(location.search) })
const listeners = new Set<(place: PageLocation) => void>()
const announce = () => {
  for (const listener of [...listeners]) listener(here())
}

export function go(url: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', url)
  else history.pushState(null, '', url)
  announce()
}

/** The same page with other parameters; an empty list or text removes one. */
export function withQuery(changes: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const { path, query } = here()
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    for (const each of value === undefined ? [] : [value].flat()) if (each !== '') query.append(name, each)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** The list of traces as it was seen last, with its filters: the way back from a trace. */
export const lastList = { url: '/' }

export function usePageLocation(): PageLocation {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    listeners.add(setPlace)
    setPlace(here())
    return () => void listeners.delete(setPlace)
  }, [])
  return place
}

/** Links inside the page are followed without loading it again. */
export function followLinks(): () => void {
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    const href = link?.getAttribute('href') ?? ''
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (
      !plain ||
      event.defaultPrevented ||
      !href.startsWith('/') ||
      href.startsWith('//') ||
      link?.hasAttribute('download')
    )
      return
    event.preventDefault()
    go(href)
  }
  document.addEventListener('click', onClick)
  addEventListener('popstate', announce)
  return () => {
    document.removeEventListener('click', onClick)
    removeEventListener('popstate', announce)
  }
}
