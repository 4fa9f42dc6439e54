import createPurifier from 'dompurify'
import { marked } from 'marked'
import { render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { exact } from '../format.ts'
import { readFormulas } from './formula.ts'
import { isShown, MediaUrl } from './media.tsx'

/** Characters that are read as markdown at once. */
const PART = 200_000

const purifier = createPurifier(window)
const RULES = {
  ALLOWED_TAGS: [
    ...['a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'li', 'ol'],
    ...['p', 'pre', 's', 'strong', 'span', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'align', 'start', 'data-media', 'data-math', 'data-block'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
}

// A link of a stranger opens beside the page, and learns nothing of it.
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
})

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? '')

const isFollowed = (href: string) => RULES.ALLOWED_URI_REGEXP.test(href)

marked.use({
  extensions: readFormulas(escaped),
  gfm: true,
  breaks: true,
  renderer: {
    // HTML of a model is shown, never obeyed.
    html: ({ text }) => escaped(text),
    // What leads nowhere does not look as if it did.
    link({ href, tokens }) {
      return isFollowed(href) ? false : this.parser.parseInline(tokens)
    },
    // A picture that lies elsewhere would tell its server who reads the trace.
    image({ href, text }) {
      if (isShown(href)) return `<span data-media="${escaped(href)}"></span>`
      const label = escaped(text || href)
      return isFollowed(href) ? `<a href="${escaped(href)}">${label}</a>` : label
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** Text of a model or a person; a very long one in parts. */
export function Markdown({ text }: { text: string }) {
  const parts = useMemo(() => partsOf(text), [text])
  const [shown, setShown] = useState(1)
  const left = parts.slice(shown).reduce((sum, part) => sum + part.length, 0)
  return (
    <>
      {parts.slice(0, shown).map((part, at) => (
        <Part key={at} text={part} />
      ))}
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + 1)}>
          Show more: {exact(left)} characters are left
        </button>
      )}
    </>
  )
}

/** Cuts a text between paragraphs, else between lines, and never within a block of code that fits into a part. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length || parts.length === 0; ) {
    const piece = text.slice(from, from + PART)
    const cut = from + PART >= text.length ? piece.length : cutOf(piece)
    parts.push(piece.slice(0, cut))
    from += Math.max(1, cut)
  }
  return parts
}

function cutOf(piece: string): number {
  const fences = [...piece.matchAll(/^(?:```|~~~)/gm)].map(({ index }) => index)
  const open = fences.length % 2 === 1 ? fences.at(-1) : undefined
  if (open) return open
  for (const between of ['\n\n', '\n']) {
    const at = piece.lastIndexOf(between)
    if (at > 0) return at + between.length
  }
  return piece.length
}

function Part({ text }: { text: string }) {
  const markup = useMemo(() => rendered(text), [text])
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const pictures = place.current?.querySelectorAll<HTMLElement>('[data-media]') ?? []
    const formulas = place.current?.querySelectorAll<HTMLElement>('[data-math]') ?? []
    // Most texts have none: what draws them is as large as the page.
    if (formulas.length > 0) import('./math.ts').then(({ draw }) => formulas.forEach(draw), console.warn)
    for (const picture of pictures) render(<MediaUrl url={picture.dataset.media ?? ''} />, picture)
    return () => {
      for (const picture of pictures) render(null, picture)
    }
  }, [markup])
  return <div ref={place} class="markdown" dangerouslySetInnerHTML={{ __html: markup }} />
}

function rendered(text: string): string {
  return purifier.sanitize(marked.parse(text, { async: false }), RULES)
}
