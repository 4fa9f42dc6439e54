// Makes docs/llms.txt of the pages: each with its title and its first sentence. `pnpm docs:llms` writes it;
// test/house/llms.test.ts says when a page is missing or has another title.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '../docs')
const HEAD = '# svc\n\n> The Node SDK of svc, an observability service for LLM applications.\n\n## Pages\n\n'

/** Returns the text of docs/llms.txt as it should be. */
export function llms() {
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'))
  return `${HEAD}${pages.sort().map(lineOf).join('\n')}\n`
}

function lineOf(name) {
  const text = readFileSync(join(docs, name), 'utf8')
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
  return `- [${title}](${name}): ${firstSentence(text)}`
}

/** The first sentence that is neither a heading, nor code, nor made by a test. */
function firstSentence(page) {
  const prose = page.replace(/^```[\s\S]*?^```/gm, '').replace(/<!--[\s\S]*?-->/g, '')
  const paragraph = prose.split(/\n{2,}/).find((part) => /^\s*[A-Z`*[]/.test(part) && !part.includes('\n|')) ?? ''
  const line = paragraph.trim().replaceAll(/\s+/g, ' ')
  const [sentence = line] = /^.*?[.:](?= |$)/.exec(line) ?? []
  return sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(docs, 'llms.txt'), llms())
