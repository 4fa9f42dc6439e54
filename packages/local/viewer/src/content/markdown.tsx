import createPurifier from 'dompurify'
import { marked } from 'marked'
import { useMemo } from 'preact/hooks'

/** Characters that are read as markdown; more are shown as the text they are. */
const READ = 200_000

const purifier = createPurifier(window)
const RULES = {
  ALLOWED_TAGS: [
    ...['a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'li', 'ol'],
    ...['p', 'pre', 's', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'align', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
}

// A link of a stranger opens beside the page, and learns nothing of it. Pictures stay where they are: see `image` below.
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
})

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? '')

marked.use({
  gfm: true,
  breaks: true,
  renderer: {
    // HTML of a model is shown, never obeyed.
    html: ({ text }) => escaped(text),
    // A picture would tell its server who reads the trace.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
  },
})

/** Text of a model or a person. */
export function Markdown({ text }: { text: string }) {
  const markup = useMemo(() => (text.length > READ ? undefined : rendered(text)), [text])
  if (markup === undefined) return <pre>{text}</pre>
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: markup }} />
}

function rendered(text: string): string {
  return purifier.sanitize(marked.parse(text, { async: false }), RULES)
}
