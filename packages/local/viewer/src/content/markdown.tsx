import createPurifier from 'dompurify'
import { marked } from 'marked'
import { render } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { isShown, MediaUrl } from './media.tsx'

/** Characters that are read as markdown; more are shown as the text they are. */
const READ = 200_000

const purifier = createPurifier(window)
const RULES = {
  ALLOWED_TAGS: [
    ...['a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'li', 'ol'],
    ...['p', 'pre', 's', 'strong', 'span', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'align', 'start', 'data-media'],
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

/** Text of a model or a person. */
export function Markdown({ text }: { text: string }) {
  const markup = useMemo(() => (text.length > READ ? undefined : rendered(text)), [text])
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const pictures = place.current?.querySelectorAll<HTMLElement>('[data-media]') ?? []
    for (const picture of pictures) render(<MediaUrl url={picture.dataset.media ?? ''} />, picture)
    return () => {
      for (const picture of pictures) render(null, picture)
    }
  }, [markup])
  if (markup === undefined) return <pre>{text}</pre>
  return <div ref={place} class="markdown" dangerouslySetInnerHTML={{ __html: markup }} />
}

function rendered(text: string): string {
  return purifier.sanitize(marked.parse(text, { async: false }), RULES)
}
